/* SPDX-License-Identifier: MIT */
/*
 * test_secrets.c - kinds of secrets in all places where a recording has texts
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "scrubbed.h"

#define THREAD "30"

#define TYPES                                                                                   \
	EVENT("20", "app.Note",                                                                 \
	      START FIELD("text", T_STRING) FIELD("thread", THREAD, KEY)                        \
		      FIELD("more", T_STRING, ARRAY) FIELD("bytes", T_BYTE, ARRAY)              \
			      FIELD("chars", T_CHAR, ARRAY))                                    \
	EVENT("21", "jdk.InitialSystemProperty",                                                \
	      START FIELD("key", T_STRING) FIELD("value", T_STRING))                            \
	EVENT("22", "app.Login",                                                                \
	      START FIELD("password", T_STRING) FIELD("code", T_STRING, LABEL("API key"))       \
		      FIELD("tokenCount", T_INT) FIELD("passwordFile", T_STRING)                \
			      FIELD("key", T_STRING) FIELD("userPass", T_BYTE, ARRAY)           \
				      FIELD("secretKey", T_CHAR, ARRAY)                         \
					      FIELD("cookie", T_STRING, KEY))                   \
	EVENT("23", "app.Number", START FIELD("n", T_INT))                                      \
	EVENT("24", "app.Double", START FIELD("n", T_DOUBLE))                                   \
	CLASS(THREAD, "java.lang.Thread", FIELD("javaName", T_STRING))

#define LABEL(text) ANNOTATION(T_LABEL, "value='" text "'")

/* Words of the builder ------------------------------------------------------------------------- */

struct line {
	char text[16384];
	size_t len;
};

static void put(struct line *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct line *to, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	to->len += (size_t)vsnprintf(to->text + to->len, sizeof(to->text) - to->len, format, list);
	va_end(list);
}

static void put_hex(struct line *to, const char *text, size_t len)
{
	put(to, " %zu x", len);
	for (size_t i = 0; i < len; i++)
		put(to, "%02x", (unsigned char)text[i]);
}

static void put_string(struct line *to, int encoding, const char *text)
{
	put(to, " b%d", encoding);
	put_hex(to, text, strlen(text));
}

/* As UTF-16 units, each a varint: the text is ASCII. */
static void put_units(struct line *to, const char *text)
{
	put_hex(to, text, strlen(text));
}

static void put_utf16(struct line *to, const char *text, int order)
{
	char wide[4096];
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++) {
		wide[2 * i + !order] = '\0';
		wide[2 * i + order] = text[i];
	}
	put_hex(to, wide, 2 * len);
}

/* Kinds in places ------------------------------------------------------------------------------ */

/* What has the secret where %s is. */
static const char *const kinds[] = {
	"db.password=%s",
	"x PASSWORD: %s;next",
	"{\"password\": \"%s\", \"n\": 1}",
	"{\\\"apiKey\\\":\\\"%s\\\"}",
	"pwd='%s more'",
	"Server=x;User Id=sa;Pwd=%s;",
	"AccountName=a;AccountKey=%s==;EndpointSuffix=x",
	"Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey=%s=",
	"jdbc:postgresql://h/d?user=u&password=%s&ssl=true",
	"jdbc:postgresql://me:%s@db.example.com/x",
	"jdbc:oracle:thin:scott/%s@//db:1521/orcl",
	"sqlplus scott/%s@orcl",
	"login as me:%s@db.example.com failed",
	"amqp://u:%s@mq:5672/vhost",
	"https://%s@github.com/x",
	"ALTER USER x IDENTIFIED BY '%s'",
	"create user y identified with mysql_native_password by '%s';",
	"ALTER ROLE x WITH ENCRYPTED PASSWORD '%s'",
	"SET PASSWORD FOR x = PASSWORD('%s')",
	"UPDATE users SET password = '%s' WHERE id = 1",
	"INSERT INTO users (name, password) VALUES ('bob', '%s')",
	"https://x.blob.core.windows.net/c?sv=2020&sig=%s%3D&se=1",
	"https://s3/b?X-Amz-Credential=AKIA&X-Amz-Signature=%s",
	"https://api/x?key=%s&y=1",
	"using passphrase %s for the key",
	"got token %s from the server",
	"the password is %s",
	"password for user bob is %s.",
	"login bob password %s",
	"wrong password '%s'",
	"invalid api key \"%s\"",
	"mysql -u root -p%s app",
	"/usr/bin/mysqldump -p%s",
	"sshpass -p %s ssh me@x",
	"curl -s -u me:%s https://x/",
	"redis-cli -h x -a %s ping",
	"docker login -u me -p %s reg",
	"openssl enc -k x -passin pass:%s",
	"run --password %s --verbose",
	"run --api-key=%s",
	"[java, --token, %s, -x]",
	"keytool -storepass %s -list",
	"-Dfoo.secret=%s -Xmx1g",
	"-Djavax.net.ssl.trustStorePassword=%s",
	"DB_PASS=%s ./run",
	"Authorization: Bearer %s",
	"Authorization: Token %s",
	"Bearer %s",
	"{Authorization=[Bearer %s]}",
	"X-Api-Key: %s",
	"X-Auth-Token: %s",
	"X-Vault-Token=%s",
	"Cookie: a=b; JSESSIONID=%s; c=d",
	"Set-Cookie: sid=%s; Path=/; HttpOnly",
	"/app;jsessionid=%s?x=1",
	"PHPSESSID=%s",
	"client_secret=%s&grant_type=x",
	"refresh_token=%s",
	"<password>%s</password>",
	"<property name=\"password\" value=\"%s\"/>",
	"name=password, value=%s",
	"user{name=bob, password=%s}",
	"secret: {x: %s}",
	"dataSource.setPassword(\"%s\")",
	"--header 'PRIVATE-TOKEN: %s'",
	"hooks.slack.com/services/T0/B0/%s",
	"password := \"%s\"",
	"requirepass=%s",
	"spring.datasource.password: %s",
	"machine x login y password %s",
	"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIE%s\n-----END RSA PRIVATE KEY-----",
	"-----BEGIN OPENSSH PRIVATE KEY-----\\nb3Bl%s\\n-----END OPENSSH PRIVATE KEY-----",
};

/* The same in one place only, since there are many. */
static const char *const more_kinds[] = {
	"spring.datasource.password=%s",
	"SPRING_DATASOURCE_PASSWORD: %s",
	"password : %s",
	"Password is: %s",
	"password=[%s]",
	"Password: \"%s\"",
	"pass phrase: %s",
	"user/pass: admin/%s",
	"username=admin password=%s",
	"login failed for user admin with password %s",
	"Using password %s for user root",
	"credentials admin:%s",
	"credentials: admin/%s",
	"auth=%s",
	"auth_token: %s",
	"authToken=%s",
	"accessToken='%s'",
	"\"access_token\" : \"%s\"",
	"access token %s",
	"bearer token: %s",
	"oauth2 token %s expired",
	"id_token=%s",
	"x-api-key=%s",
	"apikey %s",
	"api key: %s",
	"API_KEY=%s",
	"api_secret=%s",
	"secretKey = \"%s\"",
	"aws_secret_access_key = %s",
	"AWS_SECRET_ACCESS_KEY=%s",
	"aws_session_token=%s",
	"Authorization: ApiKey %s",
	"Authorization=Bearer %s",
	"Proxy-Authorization: Basic %s",
	"authorization: %s",
	"Cookie: session=%s",
	"cookie=%s",
	"session_token=%s",
	"SESSION=%s",
	"sessionId: %s",
	"JSESSIONID %s",
	"csrf_token=%s",
	"mongodb://root:%s@mongo:27017/?authSource=admin",
	"mongodb+srv://u:%s@cluster0.mongodb.net",
	"redis://:%s@localhost:6379/0",
	"amqps://guest:%s@rabbit/vh",
	"postgresql://%s@localhost/x",
	"ftp://anonymous:%s@ftp.example.com",
	"https://user:%s@git.example.com/repo.git",
	"https://oauth2:%s@gitlab.com/x.git",
	"jdbc:sqlserver://h:1433;databaseName=x;user=sa;password=%s;encrypt=true",
	"jdbc:oracle:thin:scott/%s@host:1521:orcl",
	"jdbc:db2://h:50000/x:user=u;password=%s;",
	"jdbc:mysql://h/d?user=u&password=%s",
	"jdbc:h2:mem:x;USER=sa;PASSWORD=%s",
	"Driver={SQL Server};Server=s;UID=u;PWD=%s;",
	"Data Source=x;User ID=y;Password=%s",
	"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=%s",
	"SharedAccessSignature=sv=2020&sig=%s",
	"SharedAccessSignature sr=x&sig=%s&se=1",
	"?sv=2019-12-12&st=x&sig=%s",
	"GET /login?user=a&password=%s HTTP/1.1",
	"POST /oauth/token client_id=x&client_secret=%s",
	"https://api.telegram.org/bot123456789:AA%sAAAAAAAAAAAAAAAAAAAAAAA/send",
	"https://example.com/reset?token=%s",
	"https://x/?apikey=%s",
	"https://x/?access_token=%s#frag",
	"https://x/#access_token=%s",
	"CREATE USER x WITH PASSWORD '%s'",
	"create login y with password = '%s'",
	"ALTER USER 'x'@'h' IDENTIFIED BY '%s'",
	"GRANT ALL ON *.* TO u IDENTIFIED BY '%s'",
	"SELECT * FROM users WHERE name='x' AND password='%s'",
	"SELECT pgp_sym_decrypt(c, '%s')",
	"insert into accounts (user,secret) values ('a','%s')",
	"CREATE DATABASE LINK l CONNECT TO u IDENTIFIED BY \"%s\" USING 'x'",
	"java -jar x.jar --spring.datasource.password=%s",
	"java -Dpassword=%s X",
	"java -Djavax.net.ssl.keyStorePassword=%s X",
	"keytool -list -storepass %s",
	"keytool -keypass %s",
	"openssl pkcs12 -passout pass:%s",
	"mysql -uroot -p%s",
	"mysql --password=%s",
	"mysqldump -u root --password %s db",
	"psql \"password=%s host=x\"",
	"PGPASSWORD=%s psql",
	"MYSQL_PWD=%s mysql",
	"sshpass -p%s ssh x",
	"sshpass -p '%s' ssh x",
	"curl -u admin:%s http://x",
	"curl -H 'Authorization: Bearer %s' http://x",
	"curl -H \"X-API-Key: %s\" http://x",
	"wget --password=%s http://x",
	"wget --http-password=%s http://x",
	"docker login -u u -p %s",
	"docker login --password %s",
	"docker run -e DB_PASSWORD=%s img",
	"kubectl create secret generic x --from-literal=password=%s",
	"redis-cli -a %s",
	"ldapsearch -D cn=x -w %s",
	"sqlcmd -U sa -P %s",
	"ansible -e ansible_password=%s",
	"vault login %s",
	"gpg --passphrase %s",
	"zip -P %s x.zip",
	"7z x -p%s a.7z",
	"svn --username u --password %s co x",
	"git clone https://u:%s@h/r",
	"helm install --set auth.password=%s x",
	"smbclient //h/s -U u%%s",
	"export TOKEN=%s",
	"set PASSWORD=%s",
	"$env:PASSWORD=\"%s\"",
	"<user name=\"x\" password=\"%s\"/>",
	"<entry key=\"password\">%s</entry>",
	"<property name=\"password\">%s</property>",
	"<bean:property name=\"apiKey\" value=\"%s\"/>",
	"<wsse:Password Type=\"x\">%s</wsse:Password>",
	"<add key=\"ApiSecret\" value=\"%s\" />",
	"{\"user\":\"x\",\"password\":\"%s\"}",
	"{'password': '%s'}",
	"{\"password\":[\"%s\"]}",
	"{\"auth\":{\"password\":\"%s\"}}",
	"{\\\"password\\\":\\\"%s\\\"}",
	"{\"credentials\":{\"key\":\"%s\"}}",
	"{\"name\":\"password\",\"value\":\"%s\"}",
	"{\"key\":\"DB_PASSWORD\",\"value\":\"%s\"}",
	"[password=%s, user=x]",
	"User[name=x, password=%s]",
	"User(name=x, password=%s)",
	"UsernamePasswordToken{username=x, password='%s'}",
	"Config(apiKey=%s)",
	"setPassword(%s)",
	"setPassword(\"%s\")",
	"password(\"%s\")",
	"new PasswordAuthentication(\"u\", \"%s\".toCharArray())",
	"withBasicAuth(\"u\", \"%s\")",
	"new BasicAWSCredentials(\"AKIAIOSFODNN7EXAMPLE\", \"%s\")",
	"DriverManager.getConnection(\"jdbc:x\", \"u\", \"%s\")",
	"password => %s",
	"password -> %s",
	"password -- %s",
	"password|%s",
	"password;%s",
	"\"password\",\"%s\"",
	"password, %s",
	"secret/%s",
	"secret %s",
	"my secret is %s",
	"the secret was %s",
	"secret code %s",
	"the passphrase is \"%s\"",
	"passphrase %s",
	"passphrase=%s",
	"token %s",
	"token is %s",
	"Token: %s",
	"token '%s' rejected",
	"invalid token %s",
	"rejected token: %s",
	"api token %s",
	"access key %s",
	"private key %s",
	"encryption key is %s",
	"key is %s",
	"license key %s",
	"pin %s",
	"PIN: %s",
	"otp=%s",
	"one-time code %s",
	"cvv=%s",
	"pw=%s",
	"pw: %s",
	"pwd: %s",
	"pass: %s",
	"pass=%s",
	"passwd %s",
	"Kennwort: %s",
	"mot de passe: %s",
	"contrase\303\261a=%s",
	"\320\277\320\260\321\200\320\276\320\273\321\214: %s",
	"\345\257\206\347\240\201: %s",
	"passwort=%s",
	"Das Passwort ist %s",
	"lozinka/has\305\202o: %s",
	"l\303\266senord=%s",
	"\305\237ifre=%s",
	"jelsz\303\263: %s",
	"\320\277\320\260\321\200\320\276\320\273\321\214 %s",
	"\345\257\206\347\240\201=%s",
	"\343\203\221\343\202\271\343\203\257\343\203\274\343\203\211: %s",
	"\353\271\204\353\260\200\353\262\210\355\230\270: %s",
	"machine h login l password %s",
	"u:%s@h.example.com",
	"admin:%s@localhost:8080",
	"Caused by: java.lang.Exception: bad credentials (admin / %s)",
	"com.x.AuthException: Invalid API key provided: %s",
	"Invalid API key: %s",
	"Incorrect API key provided: %s.",
	"Access denied for user with key %s",
	"Digest username=\"x\", response=\"%s\"",
	"WWW-Authenticate: NTLM %s",
	"Set-Cookie: auth=%s; Secure",
	"cookie: a=1; remember=%s",
	"X-CSRF-Token: %s",
	"X-Auth-Key: %s",
	"X-Amz-Security-Token: %s",
	"X-Amz-Signature=%s",
	"Signature=%s",
	"signature: %s",
	"X-Hub-Signature-256: sha256=%s",
	"private-token: %s",
	"Ocp-Apim-Subscription-Key: %s",
	"subscription-key=%s",
	"instrumentationKey=%s",
	"/data/password=%s/x",
	"/tmp/token-%s.txt",
	"worker-password-%s",
	"pool-[token=%s]-thread-1",
	"secret-%s-thread",
};

/* Where no word says it: the form does. */
static const char *const forms[] = {
	"AKIAIOSFODNN7EXAMPLE",
	"ghp_16C7e42F292c6912E7710c838347Ae178B4a",
	"github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ",
	"glpat-zQ3vXy8_kLm2nOp5qRs7",
	"xoxb-123456789012-abcdefGHIJ",
	"sk_live_4eC39HqLyjWDarjtT1zdp7dc",
	"AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
	"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",
	"npm_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5",
	"hvs.CAESIJlWh7cZ0qYw9aBcDeFgHiJkLmNo",
	"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
	"AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
	"kR7dTq2LwX9vB4nZ8mYc3HsJ",
	"Basic dTpodW50ZXIyLXB3",
	"$2b$12$KIXQ4S8bVb1sYzq9mQ3aHeW7uP0rT5yE2iO6pA8sD1fG3hJ5kL7zX",
	"1//0gAbCdEfGhIjKlMnOpQrStUvWxYz",
};

static void make(char *text, size_t size, const char *kind, const char *secret)
{
	const char *at = strstr(kind, "%s");

	snprintf(text, size, "%.*s%s%s", (int)(at - kind), kind, secret, at + 2);
}

enum { PLACES = 9 };

static void plant(struct craft *c, char texts[PLACES][512])
{
	struct line e = { .len = 0 }, pool = { .len = 0 };

	put(&e, "2000");
	put_string(&e, 3, texts[0]);
	put(&e, " 1 2");
	put_string(&e, 5, texts[1]);
	put_string(&e, 4, texts[2]);
	put_hex(&e, texts[3], strlen(texts[3]));
	put_units(&e, texts[4]);
	craft_event(c, "20", "%s", e.text);
	e.len = 0;
	put(&e, "2001 k9 1 0");
	put_utf16(&e, texts[5], 0);
	put(&e, " 0");
	craft_event(c, "20", "%s", e.text);
	e.len = 0;
	put(&e, "2002 null 1 0");
	put_utf16(&e, texts[6], 1);
	put(&e, " 0");
	craft_event(c, "20", "%s", e.text);
	put(&pool, "2 " THREAD " 1 1");
	put_string(&pool, 3, texts[7]);
	put(&pool, " " T_STRING " 1 9");
	put_string(&pool, 3, texts[8]);
	craft_checkpoint(c, "%s", pool.text);
	craft_metadata(c, TYPES);
}

static void check_kind(const char *kind, unsigned number)
{
	struct craft c = { 0 };
	struct scrubbed s;
	char secrets[PLACES][32], texts[PLACES][512];

	for (unsigned i = 0; i < PLACES; i++) {
		snprintf(secrets[i], sizeof(secrets[i]), "Kx%02u%cq7vPwm%u", number, 'a' + i, i);
		make(texts[i], sizeof(texts[i]), kind, secrets[i]);
	}
	craft_chunk(&c);
	plant(&c, texts);
	craft_end(&c);
	s = scrub(&c);
	if (!CHECK(s.report))
		printf("# %s: %s\n", kind, s.err.text);
	for (unsigned i = 0; s.report && i < PLACES; i++) {
		struct line wide = { .len = 0 };

		if (!CHECK(!has(&s, secrets[i], strlen(secrets[i]))))
			printf("# %s: in place %u\n", kind, i);
		for (const char *p = secrets[i]; *p; p++) {
			wide.text[wide.len++] = *p;
			wide.text[wide.len++] = '\0';
		}
		CHECK(!has(&s, wide.text, wide.len - 1));
	}
	scrubbed_free(&s);
	craft_free(&c);
}

static void all_kinds(void)
{
	test_begin("secrets_of_all_kinds_in_all_places");
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		check_kind(kinds[i], i);
}

/* All in one recording, so that each is alone in its text, but not in the file. */
static void many_kinds(void)
{
	struct craft c = { 0 };
	struct scrubbed s;
	char secret[32], text[512];

	test_begin("secrets_in_many_more_texts");
	craft_chunk(&c);
	for (unsigned i = 0; i < sizeof(more_kinds) / sizeof(*more_kinds); i++) {
		struct line e = { .len = 0 };

		snprintf(secret, sizeof(secret), "Hx%uq7kb2m9fZ", i);
		make(text, sizeof(text), more_kinds[i], secret);
		put(&e, "2000");
		put_string(&e, 3, text);
		put(&e, " 1 0 0 0");
		craft_event(&c, "20", "%s", e.text);
	}
	craft_checkpoint(&c, "1 " THREAD " 1 1 'main'");
	craft_metadata(&c, TYPES);
	craft_end(&c);
	s = scrub(&c);
	CHECK(s.report);
	for (unsigned i = 0; i < sizeof(more_kinds) / sizeof(*more_kinds); i++) {
		snprintf(secret, sizeof(secret), "Hx%uq7kb2m9fZ", i);
		if (!CHECK(!has(&s, secret, strlen(secret))))
			printf("# %s\n", more_kinds[i]);
	}
	scrubbed_free(&s);
	craft_free(&c);
}

static void check_form(const char *form)
{
	struct craft c = { 0 };
	struct line e = { .len = 0 };
	struct scrubbed s;
	char text[256];

	snprintf(text, sizeof(text), "sent %s, and got 200", form);
	put(&e, "2000");
	put_string(&e, 3, text);
	put(&e, " 1 0 0 0");
	craft_chunk(&c);
	craft_event(&c, "20", "%s", e.text);
	craft_checkpoint(&c, "1 " THREAD " 1 1 'main'");
	craft_metadata(&c, TYPES);
	craft_end(&c);
	s = scrub(&c);
	/* Of "Basic ..." the word may stay. */
	text[0] = '\0';
	strcpy(text, strchr(form, ' ') ? strchr(form, ' ') + 1 : form);
	if (!CHECK(s.report && !has(&s, text, strlen(text)) && has(&s, ", and got 200", 13)))
		printf("# %s\n", form);
	scrubbed_free(&s);
	craft_free(&c);
}

static void all_forms(void)
{
	test_begin("secrets_by_their_form");
	for (unsigned i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		check_form(forms[i]);
}

/* What stays ----------------------------------------------------------------------------------- */

static const char *const harmless[] = {
	"checkPassword",
	"com.example.auth.TokenFilter.doFilter(TokenFilter.java:120)",
	"\tat app.PasswordEncoder.encode(PasswordEncoder.java:1234)",
	"java.base@17.0.1/java.util.concurrent.ThreadPoolExecutor$Worker@1a2b3c4d",
	"GET /api/v1/users?page=2&size=50 HTTP/1.1",
	"pool-1-thread-12",
	"http-nio-8080-exec-10",
	"ForkJoinPool.commonPool-worker-3",
	"/usr/lib/jvm/java-17-openjdk-amd64/lib/server/libjvm.so",
	"-XX:+UseG1GC -Xmx512m -XX:MaxGCPauseMillis=200 --add-opens=java.base/java.lang=ALL-UNNAMED",
	"Unexpected token: class",
	"unexpected token '}' at line 12",
	"password required",
	"the password has expired",
	"password is incorrect",
	"the token is invalid",
	"basic authentication failed",
	"Basic Latin",
	"bearer of bad news",
	"0123456789abcdef0123456789abcdef01234567",
	"/var/lib/docker/overlay2/8f2a0c5d9e7b4f6a1c3d5e7f9a0b2c4d6e8f0a1b2c3d4e5f6a7b8c9d0e1f2a3b/merged",
	"550e8400-e29b-41d4-a716-446655440000",
	"org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
	"jdk.internal.reflect.GeneratedMethodAccessor1234",
	"Foo$$Lambda$1234/0x0000000800c1a840",
	"mailto:john.smith@example.com",
	"ssh://git@host/path",
	"Type: 0, Ext. Signature: 0x000806ec, Brand: 3",
	"ciSignature::ciSignature(ciKlass*)",
	"G1SATBBufferEnqueueingThresholdPercent",
	"task-executor-of-the-application-7",
	"git@github.com:user/repo.git",
	"docker run -p 8080:80 -u 1000:1000 nginx",
	"mysqld --port=3306",
	"2024-01-16T18:08:55.123456789Z",
	"2001:db8::1@eth0",
	"key=value, name=other, count=12",
	"session 12 closed",
	"SELECT name, passwd FROM users WHERE id = ?",
	"C:\\Program Files\\Java\\jdk-17\\bin\\java.exe",
	"kafka-producer-network-thread | producer-1",
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
};

static void ordinary_texts(void)
{
	test_begin("ordinary_texts_stay");
	for (unsigned i = 0; i < sizeof(harmless) / sizeof(*harmless); i++) {
		struct craft c = { 0 };
		struct line e = { .len = 0 };
		struct scrubbed s;

		put(&e, "2000");
		put_string(&e, 3, harmless[i]);
		put(&e, " 1 0 0 0");
		craft_chunk(&c);
		craft_event(&c, "20", "%s", e.text);
		craft_checkpoint(&c, "1 " THREAD " 1 1 'main'");
		craft_metadata(&c, TYPES);
		craft_end(&c);
		s = scrub(&c);
		if (!CHECK(s.report && jfrec_scrubbed_finding_count(s.report) == 0 &&
			   has(&s, harmless[i], strlen(harmless[i]))))
			printf("# %s: %s\n", harmless[i],
			       s.report && jfrec_scrubbed_finding_count(s.report) ? jfrec_scrubbed_finding_get(s.report, 0)->rule
								   : s.err.text);
		scrubbed_free(&s);
		craft_free(&c);
	}
}

/* Fields --------------------------------------------------------------------------------------- */

/* What looks like the beginning of a match at each place, and is none. */
static void repeated_words(void)
{
	static const char *const words[] = { "password=", "password ", "token=", "pass=", "token-",
						"x-a-token: ", "password=null ", "key 'abc", "a:1:b:c:" };
	static char text[200001];

	test_begin("repeated_words_take_linear_time");
	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(NULL);
		size_t n = strlen(words[i]);
		clock_t start = clock();

		CHECK(jfrec_scrub_rules_add(rules, "default", NULL) == 0);
		for (size_t k = 0; k + 1 < sizeof(text); k++)
			text[k] = words[i][k % n];
		for (unsigned k = 0; k < rules->count; k++) {
			struct buffer to = { 0 };

			rule_apply(rules, &rules->rules[k], text, sizeof(text) - 1, &to, NULL, NULL);
			CHECK(!to.failed);
			buffer_fini(&to);
		}
		if (!CHECK(clock() - start < 20 * CLOCKS_PER_SEC))
			printf("# %s\n", words[i]);
		jfrec_scrub_rules_free(rules);
	}
}

static void fields(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("fields_are_secret_by_their_name_or_label");
	craft_chunk(&c);
	craft_event(&c, "22",
		    "2000 'plainwords' 'otherwords' 77 '/etc/file.of' 'mapkeyof' 5 x6f70656e2e 4 "
		    "x61626364 3");
	craft_event(&c, "20", "2001 k4 1 0 0 0");
	craft_checkpoint(&c, "1 " T_STRING " 2 3 'constantwords' 4 'commonwords'");
	craft_metadata(&c, TYPES);
	craft_end(&c);
	s = scrub(&c);
	CHECK(s.report);
	CHECK(!has(&s, "plainwords", 10) && !has(&s, "otherwords", 10));
	CHECK(!has(&s, "constantwords", 13) && has(&s, "commonwords", 11));
	CHECK(!has(&s, "open.", 5) && !has(&s, "abcd", 4));
	CHECK(has(&s, "/etc/file.of", 12) && has(&s, "mapkeyof", 8));
	scrubbed_free(&s);
	craft_free(&c);
}

/* Hidden bytes --------------------------------------------------------------------------------- */

static void hidden(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("bytes_that_no_reader_sees_are_gone");
	craft_chunk(&c);
	craft_event(&c, "20", "2000 'ok' 1 0 0 0 x5461696c4f6654657874");
	craft_event(&c, "23", "2001 5 x5461696c4f664e756d626572");
	craft_event(&c, "99", "2002 x556e6465636c61726564");
	craft_checkpoint(&c, "1 " THREAD " 2 1 'main' 2 'NobodysConstant'");
	craft_metadata(&c, TYPES "(unheard odd=ElementUnheard (field name=InnerUnheard))"
			   "(class id=40 name=app.A superType=jdk.jfr.Event odd=AttributeUnheard"
			   " (field name=startTime class=" T_LONG " hint=FieldUnheard))");
	craft_end(&c);
	s = scrub(&c);
	if (!CHECK(s.report))
		printf("# %s\n", s.err.text);
	CHECK(!has(&s, "TailOf", 6) && !has(&s, "Undeclared", 10) && !has(&s, "NobodysC", 8));
	CHECK(!has(&s, "Unheard", 7) && !has(&s, "unheard", 7) && !has(&s, "odd", 3));
	if (s.report) {
		CHECK_INT(s.report->tails, 2);
		CHECK_INT(s.report->tail_bytes, 22);
		CHECK_INT(s.report->unknown_metadata, 3);
	}
	scrubbed_free(&s);
	craft_free(&c);

	test_begin("arrays_that_are_no_text_are_counted");
	craft_chunk(&c);
	craft_event(&c, "20", "2000 'ok' 1 0 6 x000102030405 0");
	craft_event(&c, "20", "2000 'ok' 1 0 6 x68656c6c6f21 0");
	craft_checkpoint(&c, "1 " THREAD " 1 1 'main'");
	craft_metadata(&c, TYPES);
	craft_end(&c);
	s = scrub(&c);
	CHECK(s.report && s.report->unread_arrays == 1);
	scrubbed_free(&s);
	craft_free(&c);
}

int main(void)
{
	all_kinds();
	many_kinds();
	all_forms();
	ordinary_texts();
	fields();
	repeated_words();
	hidden();
	return test_end();
}
