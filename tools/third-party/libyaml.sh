build_libyaml()
{
	cat >config.h <<-END
		#define YAML_VERSION_MAJOR $(echo "$version" | cut -d . -f 1)
		#define YAML_VERSION_MINOR $(echo "$version" | cut -d . -f 2)
		#define YAML_VERSION_PATCH $(echo "$version" | cut -d . -f 3)
		#define YAML_VERSION_STRING "$version"
	END
	archive yaml '-DHAVE_CONFIG_H -I. -Iinclude' src/*.c
	offer include/yaml.h
	describe yaml-0.1 "$version" -lyaml
}
