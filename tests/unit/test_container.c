/* SPDX-License-Identifier: MIT */
/* test_container.c - which container a process is in, by its cgroups */
#include "process/container.h"

#include "test.h"

#define ID    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define POD   "kubepods-burstable-pod0a1b2c3d_0000_1111_2222_333344445555.slice"

static const struct {
	const char *name, *text;
	const char *id; /* NULL: none */
} rows[] = {
	{ "docker_cgroupfs", "12:pids:/docker/" ID "\n1:name=systemd:/docker/" ID "\n", ID },
	{ "docker_systemd", "0::/system.slice/docker-" ID ".scope\n", ID },
	{ "docker_with_groups_inside",
	  "0::/system.slice/docker-" ID ".scope/system.slice/app.service\n", ID },
	{ "docker_rootless",
	  "0::/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" ID ".scope\n", ID },
	{ "docker_in_docker", "0::/docker/" OTHER "/docker/" ID "\n", ID },
	{ "nerdctl", "0::/system.slice/nerdctl-" ID ".scope\n", ID },
	{ "kubernetes_docker",
	  "0::/kubepods.slice/kubepods-burstable.slice/" POD "/docker-" ID ".scope\n", ID },
	{ "kubernetes_containerd",
	  "0::/kubepods.slice/kubepods-burstable.slice/" POD "/cri-containerd-" ID ".scope\n", ID },
	{ "kubernetes_containerd_cgroupfs",
	  "4:memory:/kubepods/burstable/pod0a1b2c3d-0000/" ID "\n", ID },
	{ "kubernetes_half_configured",
	  "0::/system.slice/containerd.service/" POD ":cri-containerd:" ID "\n", ID },
	{ "kubernetes_in_docker",
	  "0::/docker/" OTHER "/kubelet.slice/kubelet-kubepods.slice/cri-containerd-" ID ".scope\n",
	  ID },
	{ "crio", "0::/kubepods.slice/" POD "/crio-" ID ".scope\n", ID },
	{ "crio_with_group_inside", "0::/kubepods.slice/" POD "/crio-" ID ".scope/container\n",
	  ID },
	{ "podman", "0::/machine.slice/libpod-" ID ".scope/container\n", ID },
	{ "podman_cgroupfs", "4:memory:/libpod_parent/libpod-" ID "\n", ID },
	{ "podman_rootless",
	  "0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID
	  ".scope/container\n",
	  ID },
	{ "podman_monitor", "0::/machine.slice/libpod-conmon-" ID ".scope\n", NULL },
	{ "crio_monitor", "0::/kubepods.slice/" POD "/crio-conmon-" ID ".scope\n", NULL },
	{ "nspawn_machine", "0::/machine.slice/machine-web\\x2d1.scope/payload\n", "web-1" },
	{ "nspawn_service", "0::/machine.slice/systemd-nspawn@web.service/payload/init.scope\n",
	  "web" },
	{ "lxc_version_1", "9:cpu:/lxc/web\n", "web" },
	{ "lxc_payload", "0::/lxc.payload.web/system.slice/app.service\n", "web" },
	{ "lxc_payload_directory", "0::/lxc.payload/web/init.scope\n", "web" },
	{ "lxc_monitor", "0::/lxc.monitor.web\n", NULL },
	{ "ecs",
	  "9:cpu:/ecs/0123456789abcdef0123456789abcdef/0123456789abcdef0123456789abcdef-3935363592\n",
	  "0123456789abcdef0123456789abcdef-3935363592" },
	{ "second_line", "12:pids:/\n0::/docker/" ID "\n", ID },
	{ "without_line_feed", "0::/docker/" ID, ID },
	{ "host_service", "0::/system.slice/tomcat9.service\n", NULL },
	{ "host_session", "0::/user.slice/user-1000.slice/session-2.scope\n", NULL },
	{ "inside_a_container", "0::/\n", NULL },
	{ "outside_of_our_namespace", "0::/../../docker-" ID ".scope\n", ID },
	{ "too_few_digits", "0::/docker/0123456789abcdef\n", NULL },
	{ "too_many_digits", "0::/docker/0" ID "\n", NULL },
	{ "other_digits",
	  "0::/docker/0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF\n", NULL },
	{ "no_path", "0:\n:\n::\n1", NULL },
	{ "colons_in_the_path", "0::/a:b:c/docker-" ID ".scope\n", ID },
	{ "only_the_prefix", "0::/machine.slice/machine-.scope\n", NULL },
	{ "empty", "", NULL },
};

static void test_long_name(void)
{
	char text[CONTAINER_ID_MAX * 2], id[CONTAINER_ID_MAX];

	test_begin("a_long_name_is_cut");
	memset(text, 'x', sizeof(text));
	memcpy(text, "0::/lxc/", 8);
	text[sizeof(text) - 1] = '\0';
	CHECK(container_find(text, id));
	CHECK_INT((int64_t)strlen(id), CONTAINER_ID_MAX - 1);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char id[CONTAINER_ID_MAX] = "";
		bool found = container_find(rows[i].text, id);

		test_begin(rows[i].name);
		CHECK_INT(found, rows[i].id != NULL);
		if (found && rows[i].id)
			CHECK_TEXT(id, strlen(id), rows[i].id);
	}
	test_long_name();
	return test_end();
}
