/* SPDX-License-Identifier: MIT */
/*
 * code_owner.c - whose a method is: the JDK's, a known library's, or the application's
 */
#include "base/code_owner.h"

#include <stddef.h>
#include <string.h>

bool is_jdk_method(const char *method)
{
	static const char *const prefixes[] = { "java.", "javax.", "jdk.", "sun.", "com.sun." };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (*method == *prefixes[i] &&
		    strncmp(method, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

static bool is_of_known_library(const char *method)
{
	static const char *const packages[] = {
		"org.springframework.", "org.hibernate.", "org.apache.",     "org.eclipse.",
		"org.jboss.",		"org.jooq.",	  "org.mybatis.",    "org.glassfish.",
		"org.h2.",		"org.postgresql.", "org.codehaus.",  "org.junit.",
		"org.gradle.",		"org.xnio.",	  "com.zaxxer.",     "com.mchange.",
		"com.mongodb.",		"com.mysql.",	  "com.google.common.", "com.fasterxml.",
		"com.alibaba.druid.",	"com.ibm.",	  "weblogic.",	     "oracle.",
		"redis.clients.",	"io.netty.",	  "io.undertow.",    "io.quarkus.",
		"io.micronaut.",	"io.micrometer.", "io.vertx.",	     "io.lettuce.",
		"io.grpc.",		"io.reactivex.",  "io.agroal.",	     "io.opentelemetry.",
		"reactor.",		"scala.",	  "kotlin.",	     "kotlinx.",
		"akka.",		"groovy.",	  "clojure.",	     "jakarta.",
		"datadog.",		"freemarker.",	  "okhttp3.",	     "okio.",
		"retrofit2.",		"feign.",	  "org.slf4j.",	     "ch.qos.",
		"org.hsqldb.",		"org.mariadb.",	  "com.microsoft.sqlserver.", "org.sqlite.",
		"com.lmax.",		"org.jctools.",	  "com.google.gson.", "com.google.protobuf.",
		"org.json.",		"org.yaml.",	  "org.thymeleaf.",  "org.antlr.",
		"org.jruby.",		"org.python.",	  "org.mozilla.",    "org.bouncycastle.",
		"org.objectweb.",	"net.bytebuddy.", "javassist.",	     "com.esotericsoftware.",
		"com.thoughtworks.xstream.", "org.dom4j.", "org.jdom",	     "com.github.benmanes.",
		"net.sf.ehcache.",	"org.ehcache.",	  "com.hazelcast.",  "com.rabbitmq.",
		"software.amazon.awssdk.", "com.amazonaws.", "org.elasticsearch.client.", "com.netflix.",
		"io.github.resilience4j.", "org.quartz.", "liquibase.",	     "org.flywaydb.",
		"org.objenesis.",	"javax.",
	};

	for (size_t i = 0; i < sizeof(packages) / sizeof(*packages); i++) {
		if (*method == *packages[i] &&
		    strncmp(method, packages[i], strlen(packages[i])) == 0)
			return true;
	}
	return false;
}

bool is_library_method(const char *method)
{
	/* Classes that the JVM or a framework made: proxies, lambdas. */
	return is_of_known_library(method) || strstr(method, "$$") != NULL;
}

enum code_owner code_owner(const char *method)
{
	if (is_jdk_method(method))
		return OWNER_JDK;
	return is_of_known_library(method) ? OWNER_LIBRARY : OWNER_APPLICATION;
}
