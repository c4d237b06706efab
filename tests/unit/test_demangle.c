/* SPDX-License-Identifier: MIT */
/* test_demangle.c - the names of C++ and Rust as their programmers wrote them */
#include "demangle/demangle.h"

#include <stdlib.h>

#include "test.h"

/* Symbols as g++, clang++ and rustc make them, with the name that they stand for. */
static const struct {
	const char *name, *symbol, *want;
} rows[] = {
	{ "function", "_ZN3app5outerEi", "app::outer" },
	{ "no_scope", "_Z4sortPiS_", "sort" },
	{ "member_of_this_const", "_ZNKR3app5Cache3getEi", "app::Cache::get" },
	{ "member_of_this_moved", "_ZNO3app5Cache3getEi", "app::Cache::get" },
	{ "member_of_this_volatile", "_ZNV3app5CacheixEi", "app::Cache::operator[]" },
	{ "constructor", "_ZN3app5CacheC1Ev", "app::Cache::Cache" },
	{ "constructor_of_a_base", "_ZN3app5CacheC2ERKS0_", "app::Cache::Cache" },
	{ "inherited_constructor", "_ZN3app4BothCI2NS_4LeftEEi", "app::Both::Left" },
	{ "destructor", "_ZN3app5CacheD0Ev", "app::Cache::~Cache" },
	{ "call_operator", "_ZN3app5CacheclEi", "app::Cache::operator()" },
	{ "less_operator", "_ZNK3app5CacheltERKS0_", "app::Cache::operator<" },
	{ "shift_operator", "_ZN3app5CachelsEi", "app::Cache::operator<<" },
	{ "arrow_operator", "_ZN3app5CacheptEv", "app::Cache::operator->" },
	{ "new_operator", "_ZN3app5CachenwEm", "app::Cache::operator new" },
	{ "delete_operator", "_ZN3app5CachedlEPv", "app::Cache::operator delete" },
	{ "spaceship_operator", "_ZNK3app5CachessERKS0_", "app::Cache::operator<=>" },
	{ "literal_operator", "_ZN3appli3_kbEy", "app::operator\"\" _kb" },
	{ "operator_of_one_compiler", "_Zv13yeeP3app", "operator yee" },
	{ "conversion", "_ZNK3app5CachecvbEv", "app::Cache::operator bool" },
	{ "conversion_to_a_parameter", "_ZNK3app5CachecvPT_IiEEv",
	  "app::Cache::operator int*<int>" },
	{ "conversion_of_a_template", "_ZN3app4RingIiEcvT_IlEEv",
	  "app::Ring<int>::operator long<long>" },
	{ "template", "_ZN3app4RingIdLi4EE3sumEv", "app::Ring<double, 4>::sum" },
	{ "member_template", "_ZN3app4RingIiLi1EE2asIlEET_v", "app::Ring<int, 1>::as<long>" },
	{ "variadic_without_arguments", "_ZN3app3allIJEEEiDpT_", "app::all<>" },
	{ "variadic", "_ZN3app3allIJiPKcNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEEEiDpT_",
	  "app::all<int, char const*, std::__cxx11::basic_string<char, std::char_traits<cha"
	  "r>, std::allocator<char> > >" },
	{ "old_variadic", "_ZN3app3allIIiPKcEEEiDpT_", "app::all<int, char const*>" },
	{ "template_template", "_ZN3app9containerISt6vectorEEiv", "app::container<std::vector>" },
	{ "two_closing_brackets", "_ZNSt6vectorIS_IiSaIiEESaIS1_EE9push_backEOS1_",
	  "std::vector<std::vector<int, std::allocator<int> >, std::allocator<std::vector<i"
	  "nt, std::allocator<int> > > >::push_back" },
	{ "lambda", "_ZZN3app7lambdasEiENKUliE_clEi",
	  "app::lambdas(int)::{lambda(int)#1}::operator()" },
	{ "second_lambda", "_ZZN3app7lambdasEiENKUlvE0_clEv",
	  "app::lambdas(int)::{lambda()#2}::operator()" },
	{ "generic_lambda", "_ZZZN3app7lambdasEiENKUliE_clEiENKUlT_E_clIiEEDaS1_",
	  "app::lambdas(int)::{lambda(int)#1}::operator()(int) const::{lambda(auto:1)#1}::o"
	  "perator()<int>" },
	{ "lambda_as_an_argument", "_ZN3app4callIZNS_7lambdasEiEUliE_EEiT_",
	  "app::call<app::lambdas(int)::{lambda(int)#1}>" },
	{ "lambda_of_clang", "_ZZN3app7lambdasEiENK3$_1clEi",
	  "app::lambdas(int)::$_1::operator()" },
	{ "lambda_in_a_member", "_ZNK3app5Cache5orderMUliiE_clEii",
	  "app::Cache::order::{lambda(int, int)#1}::operator()" },
	{ "local_class", "_ZZN3app3useEvEN5Inner3runEv", "app::use()::Inner::run" },
	{ "local_class_of_a_template", "_ZZN3app1fIiEEvT_EN5Inner3runEv",
	  "app::f<int>(int)::Inner::run" },
	{ "static_of_a_function", "_ZZN3app3useEvE5count_0", "app::use()::count" },
	{ "string_of_a_function", "_ZZN3app3useEvEs", "app::use()::string literal" },
	{ "default_argument", "_ZZN3app3useEiiEd0_NKUlvE_clEv",
	  "app::use(int, int)::{default arg#2}::{lambda()#1}::operator()" },
	{ "unnamed_namespace", "_ZN3app12_GLOBAL__N_16hiddenEv",
	  "app::(anonymous namespace)::hidden" },
	{ "unnamed_class", "_ZN3appUt_3runEv", "app::{unnamed type#1}::run" },
	{ "structured_binding", "_ZDC1x1yE", "[x, y]" },
	{ "abi_tag", "_ZN3app1tB5cxx11Ev", "app::t[abi:cxx11]" },
	{ "internal_linkage", "_ZN3appL3tlsE", "app::tls" },
	{ "standard_string", "_ZNSs6appendEPKc", "std::string::append" },
	{ "standard_string_made", "_ZNSsC1EPKc",
	  "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_st"
	  "ring" },
	{ "standard_string_as_argument", "_ZN3app2ofISsEEiv", "app::of<std::string>" },
	{ "standard_streams", "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
	  "std::operator<< <std::char_traits<char> >" },
	{ "standard_stream_argument", "_ZN3app2ofIRSoEEiv", "app::of<std::ostream&>" },
	{ "standard_allocator", "_ZNSaIcEC2Ev", "std::allocator<char>::allocator" },
	{ "value_bool", "_ZN3app5valueILb1EEEiv", "app::value<true>" },
	{ "value_char", "_ZN3app5valueILc97EEEiv", "app::value<(char)97>" },
	{ "value_unsigned", "_ZN3app5valueILj5EEEiv", "app::value<5u>" },
	{ "value_negative", "_ZN3app5valueILln7EEEiv", "app::value<-7l>" },
	{ "value_enum", "_ZN3app5valueILNS_5Cache4KindE1EEEiv", "app::value<(app::Cache::Kind)1>" },
	{ "value_float", "_ZN3app5valueILf3f800000EEEiv", "app::value<(float)[3f800000]>" },
	{ "value_function", "_ZN3app5valueIXadL_ZNS_5Cache4makeEvEEEEiv",
	  "app::value<&app::Cache::make>" },
	{ "value_nullptr", "_ZN3app5valueILDn0EEEiv", "app::value<(decltype(nullptr))0>" },
	{ "value_expression", "_ZN3app1fINS_4SizeIXplLi1ELi2EEEEEEvT_",
	  "app::f<app::Size<(1)+(2)> >" },
	{ "value_greater", "_ZN3app1fINS_4SizeIXgtLi1ELi2EEEEEEvT_",
	  "app::f<app::Size<((1)>(2))> >" },
	{ "value_sizeof", "_ZN3app1fINS_4SizeIXstiEEEEEvT_", "app::f<app::Size<sizeof (int)> >" },
	{ "value_call", "_ZN3app1fINS_4SizeIXclL_ZNS_1gEiELi3EEEEEEEvT_",
	  "app::f<app::Size<app::g(3)> >" },
	{ "value_cast", "_ZN3app1fINS_4SizeIXcvmLi3EEEEEEvT_",
	  "app::f<app::Size<(unsigned long)(3)> >" },
	{ "value_fold", "_ZZN3app1fIJLi1ELi2EEEENS_4SizeIXfrplT_EEEvENKUlvE_clEv",
	  "app::f<1, 2>()::{lambda()#1}::operator()" },
	{ "value_braced", "_ZN3app1fINS_4SizeIXtlNS_3BoxELi3EEEEEEEvT_",
	  "app::f<app::Size<app::Box{3}> >" },
	{ "value_condition", "_ZN3app1fINS_4SizeIXquLb1ELi1ELi2EEEEEEvT_",
	  "app::f<app::Size<(true)?(1) : (2)> >" },
	{ "value_of_a_class", "_ZN3app1fIXsrSt7is_sameIiiE5valueEEEvv",
	  "app::f<std::is_same<int, int>::value>" },
	{ "pack_size", "_ZZN3app1fIJilEEENS_4SizeIXsZT_EEEvENKUlvE_clEv",
	  "app::f<int, long>()::{lambda()#1}::operator()" },
	{ "pointer_to_function", "_ZN3app2ofIPFicEEEiv", "app::of<int (*)(char)>" },
	{ "pointer_to_function_that_returns_one", "_ZN3app2ofIPFPFvlEiEEEiv",
	  "app::of<void (*(*)(int))(long)>" },
	{ "pointer_to_member", "_ZN3app2ofIMNS_5CacheEiEEiv", "app::of<int app::Cache::*>" },
	{ "pointer_to_member_function", "_ZN3app2ofIMNS_5CacheEKFiiEEEiv",
	  "app::of<int (app::Cache::*)(int) const>" },
	{ "reference_to_array", "_ZN3app2ofIRA3_iEEiv", "app::of<int (&) [3]>" },
	{ "array_of_arrays", "_ZN3app2ofIA2_A3_KiEEiv", "app::of<int const [2][3]>" },
	{ "pointer_to_array_of_pointers_to_functions", "_ZN3app2ofIPA2_PFvvEEEiv",
	  "app::of<void (*(*) [2])()>" },
	{ "const_volatile", "_ZN3app2ofIKPVKcEEiv", "app::of<char const volatile* const>" },
	{ "rvalue_reference", "_ZN3app2ofIOiEEiv", "app::of<int&&>" },
	{ "collapsed_reference", "_ZZN3app1fIRiEEvOT_ENKUlvE_clEv",
	  "app::f<int&>(int&)::{lambda()#1}::operator()" },
	{ "const_function", "_ZN3app2ofIKFvvEEEiv", "app::of<void () const>" },
	{ "noexcept_function", "_ZN3app2ofIPDoFvvEEEiv", "app::of<void (*)() noexcept>" },
	{ "ellipsis", "_ZN3app2ofIPFvPKczEEEiv", "app::of<void (*)(char const*, ...)>" },
	{ "complex_number", "_ZN3app2ofICdEEiv", "app::of<double _Complex>" },
	{ "vector_type", "_ZN3app2ofIDv4_fEEiv", "app::of<float __vector(4)>" },
	{ "wide_characters", "_ZN3app2ofIDsEEiv", "app::of<char16_t>" },
	{ "half_float", "_ZN3app2ofIDF16_EEiv", "app::of<_Float16>" },
	{ "decltype", "_ZZN3app1fIiEEDTplfp_Li1EET_ENKUlS1_E_clEi",
	  "app::f<int>(int)::{lambda(decltype ({parm#1}+(1)))#1}::operator()" },
	{ "expansion_of_pointers", "_ZZN3app1fIJilEEEvDpPT_ENKUlvE_clEv",
	  "app::f<int, long>(int*, long*)::{lambda()#1}::operator()" },
	{ "vendor_type", "_ZN3app2ofIu6__bf16EEiv", "app::of<__bf16>" },
	{ "vendor_qualifier", "_ZN3app2ofIPU3AS1iEEiv", "app::of<int AS1*>" },
	{ "vtable", "_ZTVN3app5CacheE", "vtable for app::Cache" },
	{ "typeinfo", "_ZTIN3app5CacheE", "typeinfo for app::Cache" },
	{ "construction_vtable", "_ZTCN3app4BothE8_NS_5RightE",
	  "construction vtable for app::Right-in-app::Both" },
	{ "virtual_thunk", "_ZTv0_n24_N3app4Both1fEv", "virtual thunk to app::Both::f()" },
	{ "thunk", "_ZThn16_N3app4Both1fEv", "non-virtual thunk to app::Both::f()" },
	{ "covariant_thunk", "_ZTch0_h16_N3app4Both5cloneEv",
	  "covariant return thunk to app::Both::clone()" },
	{ "guard_variable", "_ZGVZN3app3useEvE5count", "guard variable for app::use()::count" },
	{ "reference_temporary", "_ZGRN3app3refE0_", "reference temporary #1 for app::ref" },
	{ "tls_wrapper", "_ZTWN3appL3tlsE", "TLS wrapper function for app::tls" },
	{ "part_of_a_function", "_ZN3app5outerEi.part.0", "app::outer" },
	{ "cold_part", "_ZN3app5outerEi.cold", "app::outer" },
	{ "cut_in_its_parameters", "_ZN3app5outerEiNS_5Cac", "app::outer" },
	{ "rust_function", "_RNvC4many7dynamic", "many::dynamic" },
	{ "rust_method", "_RNvMs0_CslufMH00Kdz8_4manyNtB5_6Square4grow", "<many::Square>::grow" },
	{ "rust_trait", "_RNvXs_CslufMH00Kdz8_4manyINtB4_4GridfKj3_ENtB4_5Shape4areaB4_",
	  "<many::Grid<f32, 3> as many::Shape>::area" },
	{ "rust_trait_method", "_RNvYNtC4many6SquareNtB4_5Shape5twiceB4_",
	  "<many::Square as many::Shape>::twice" },
	{ "rust_generic", "_RINvC4many4showINtNtC5alloc3vec3VechEEB2_",
	  "many::show::<alloc::vec::Vec<u8>>" },
	{ "rust_closure", "_RNCNvC4many5entrys_0B3_", "many::entry::{closure#1}" },
	{ "rust_named_closure", "_RNCNvC4many5entry4busyB3_", "many::entry::{closure:busy#0}" },
	{ "rust_shim", "_RNSNvYNCNvC4many5entry0INtC4core6FnOnceTReEE9call_once6vtableB8_",
	  "<many::entry::{closure#0} as core::FnOnce<(&str,)>>::call_once::{shim:vtable#0}" },
	{ "rust_constants", "_RINvC4many4flagKb1_Kce4_Kan5_EB2_", "many::flag::<true, 'ä', -5>" },
	{ "rust_quoted_constant", "_RINvC4many4flagKb0_Kc27_Ka7_EB2_",
	  "many::flag::<false, '\\'', 7>" },
	{ "rust_large_constant", "_RINvC4many4flagKo80000000000000000000000000000000_EB2_",
	  "many::flag::<0x80000000000000000000000000000000>" },
	{ "rust_placeholder", "_RINvC4many4flagpKpEB2_", "many::flag::<_, _>" },
	{ "rust_array", "_RINvC4many4takeAtj4_EB2_", "many::take::<[u16: 4]>" },
	{ "rust_slice_of_tuples", "_RINvC4many4takeRSTlReEEB2_", "many::take::<&[(i32, &str)]>" },
	{ "rust_tuple_of_one", "_RINvC4many4takeThEEB2_", "many::take::<(u8,)>" },
	{ "rust_pointers", "_RINvC4many4takeTPhOhQhEEB2_",
	  "many::take::<(*const u8, *mut u8, &mut u8)>" },
	{ "rust_function_pointer", "_RINvC4many4takeFlElEB2_", "many::take::<fn(i32) -> i32>" },
	{ "rust_foreign_function_pointer", "_RINvC4many4takeFG_UKCPhQL0_SaEuEB2_",
	  "many::take::<for<'a> unsafe extern \"C\" fn(*const u8, &'a mut [i8])>" },
	{ "rust_other_abi", "_RINvC4many4takeFK13aapcs_unwoundEuEB2_",
	  "many::take::<extern \"aapcs-unwound\" fn()>" },
	{ "rust_lifetimes", "_RINvC4many4takeFG0_RL1_hRL0_hERL0_hEB2_",
	  "many::take::<for<'a, 'b> fn(&'a u8, &'b u8) -> &'b u8>" },
	{ "rust_dyn", "_RINvC4many4takeRDNtC4core4Iterp4ItemhNtB2_4SendEL_EB2_",
	  "many::take::<&dyn core::Iter<Item = u8> + many::Send>" },
	{ "rust_dyn_with_arguments", "_RINvC4many5applyDG_INtC4core2FnTRL0_eEEp6OutputjEL_EB2_",
	  "many::apply::<dyn for<'a> core::Fn<(&'a str,), Output = usize>>" },
	{ "rust_dyn_lifetime", "_RINvC4many4takeFG_DNtC4many5ShapeEL0_EuEB2_",
	  "many::take::<for<'a> fn(dyn many::Shape + 'a)>" },
	{ "rust_wide_names", "_RNvNtC4manyu9gre_6ka8iu8lnge_loa", "many::größe::länge" },
	{ "rust_georgian", "_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
	  "utf8_idents::საჭმელად_გემრიელი_სადილი" },
	{ "rust_with_suffix", "_RNvC4many7dynamic.llvm.1234", "many::dynamic" },
	{ "rust_old", "_ZN4many7dynamic17h3aa8b1385d115a26E", "many::dynamic" },
	{ "rust_old_escapes", "_ZN44_$LT$many..Square$u20$as$u20$many..Shape$GT$4area17h42c7147f7dd8121dE",
	  "<many::Square as many::Shape>::area" },
	{ "rust_old_closure", "_ZN4many5entry28_$u7b$$u7b$closure$u7d$$u7d$17hc3ef3b0d5789a9b3E",
	  "many::entry::{{closure}}" },
	{ "rust_old_wide_names", "_ZN4many13gr$uf6$$udf$e9l$ue4$nge17h67b68f3805e29fafE",
	  "many::größe::länge" },
	{ "rust_old_array", "_ZN32_$LT$$u5b$u8$u3b$$u20$4$u5d$$GT$4fill17h3aa8b1385d115a26E",
	  "<[u8: 4]>::fill" },
	{ "rust_old_with_suffix", "_ZN4many7dynamic17h3aa8b1385d115a26E.llvm.1234",
	  "many::dynamic" },
};

/* What stands for nothing, or takes too long. */
static const struct {
	const char *name, *symbol;
} none[] = {
	{ "empty", "" },
	{ "of_c", "qsort" },
	{ "prefix_alone", "_Z" },
	{ "prefix_of_rust_alone", "_R" },
	{ "not_of_rust", "_Read_all" },
	{ "macro_like", "_Zero" },
	{ "cut_in_a_name", "_ZN3app5out" },
	{ "cut_in_arguments", "_ZN3app2ofIPFic" },
	{ "length_beyond_the_end", "_Z9999999999999999999999f" },
	{ "unknown_repetition", "_ZN3app1fIS9_EEvv" },
	{ "unknown_parameter", "_ZN3app1fINS_4SizeIT3_EEEEvv" },
	{ "parameter_of_itself", "_ZN3app1fIT_EEvv" },
	{ "destructor_of_nothing", "_ZND0Ev" },
	{ "operator_unknown", "_ZN3appqqEv" },
	{ "rust_cut", "_RNvC4many7dyn" },
	{ "rust_left_over", "_RNvC4many7dynamicx" },
	{ "rust_back_reference_ahead", "_RNvB9_7dynamic" },
	{ "rust_back_reference_to_itself", "_RB_" },
	{ "rust_lifetime_unbound", "_RINvC4many4takeRL0_hEB2_" },
	{ "rust_boolean_of_2", "_RINvC4many4flagKb2_EB2_" },
	{ "rust_half_a_pair", "_RINvC4many4flagKcd800_EB2_" },
	{ "rust_punycode_without_end", "_RNvC4manyu3a_z" },
	{ "control_character", "_Z3a\nbv" },
	/* c++filt needs centuries for these. */
	{ "rust_binder_without_end", "_RMINvC1a1bFGzzzzzzzzz_EuEu" },
	{ "pack_without_end",
	  "_Z1fIJDpFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFvFviES_ES0_ES1_ES2_ES3_"
	  "ES4_ES5_ES6_ES7_ES8_ES9_ESA_ESB_ESC_ESD_ESE_ESF_ESG_ESH_ESI_ESJ_ESK_ESL_ESM_ESN_ESO_ESP_ESQ_"
	  "ESR_ESS_EEEvv" },
};

/* A symbol where it ends with the memory that it is in. */
static const char *shown(struct arena *arena, const char *symbol, size_t len, size_t *out_len)
{
	char *copy = malloc(len + !len);
	const char *text = NULL;

	if (copy) {
		memcpy(copy, symbol, len);
		text = demangle(arena, copy, len, out_len);
	}
	free(copy);
	return text;
}

static void test_names(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena arena = { 0 };
		size_t len = 0;
		const char *got;

		test_begin(rows[i].name);
		got = shown(&arena, rows[i].symbol, strlen(rows[i].symbol), &len);
		if (CHECK(got != NULL)) {
			CHECK_TEXT(got, len, rows[i].want);
			CHECK_INT(strlen(got), len);
		}
		arena_fini(&arena);
	}
}

static void test_none(void)
{
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		struct arena arena = { 0 };
		size_t len = 0;

		test_begin(none[i].name);
		CHECK(!shown(&arena, none[i].symbol, strlen(none[i].symbol), &len));
		arena_fini(&arena);
	}
}

/* Every name cut everywhere: it is one or it is none, but nothing is read beyond. */
static void test_cut(void)
{
	struct arena arena = { 0 };
	size_t len;

	test_begin("cut_everywhere");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (size_t n = 0; n < strlen(rows[i].symbol); n++) {
			const char *got = shown(&arena, rows[i].symbol, n, &len);

			CHECK(!got || (len && strlen(got) == len));
			arena_clear(&arena);
		}
	}
	arena_fini(&arena);
}

/* `times` times a text between two others. */
static char *repeated(const char *before, const char *text, size_t times, const char *after)
{
	size_t one = strlen(text), start = strlen(before);
	char *s = malloc(start + times * one + strlen(after) + 1);

	if (!s)
		return NULL;
	memcpy(s, before, start);
	for (size_t i = 0; i < times; i++)
		memcpy(s + start + i * one, text, one);
	strcpy(s + start + times * one, after);
	return s;
}

/* Text that goes on and on is cut, and says so. */
static void test_long(void)
{
	static const struct {
		const char *name, *before, *text, *after;
		size_t times;
	} longs[] = {
		{ "longest_is_cut", "_ZN3app2ofIJ", "N3app5CacheE", "EEEvv", 500 },
		{ "longest_of_rust_is_cut", "_RINvC4many4takeT", "NtB2_6Square", "EEB2_", 500 },
	};

	for (size_t i = 0; i < sizeof(longs) / sizeof(*longs); i++) {
		struct arena arena = { 0 };
		size_t len = 0;
		char *symbol = repeated(longs[i].before, longs[i].text, longs[i].times,
					longs[i].after);
		const char *got = NULL;

		test_begin(longs[i].name);
		if (symbol)
			got = shown(&arena, symbol, strlen(symbol), &len);
		if (CHECK(got != NULL)) {
			CHECK_INT(len, 4096);
			CHECK_TEXT(got + len - 3, 3, "...");
		}
		arena_fini(&arena);
		free(symbol);
	}
}

/* Depth is limited before the stack is. */
static void test_deep(void)
{
	static const struct {
		const char *name, *before, *text, *after;
	} deeps[] = {
		{ "deep_pointers", "_Z1fI", "P", "iEvv" },
		{ "deep_templates", "_Z1fI", "1AI", "iEvv" },
		{ "deep_expressions", "_Z1fIX", "ps", "Li1EEEvv" },
		{ "deep_encodings", "_Z1fI", "L_Z1fI", "iEvv" },
		{ "deep_locals", "_Z", "Z", "1fvE1g" },
		{ "deep_packs", "_Z1fI", "J", "iEvv" },
		{ "deep_slices_of_rust", "_RINvC1a1f", "S", "uE" },
		{ "deep_paths_of_rust", "_R", "NvNv", "C1a1b" },
		{ "deep_closures_of_rust", "_R", "NC", "C1a1b" },
	};

	for (size_t i = 0; i < sizeof(deeps) / sizeof(*deeps); i++) {
		struct arena arena = { 0 };
		char *symbol = repeated(deeps[i].before, deeps[i].text, 2000 / strlen(deeps[i].text),
					deeps[i].after);
		size_t len = 0;

		test_begin(deeps[i].name);
		CHECK(symbol && !shown(&arena, symbol, strlen(symbol), &len));
		arena_fini(&arena);
		free(symbol);
	}
}

int main(void)
{
	test_names();
	test_none();
	test_cut();
	test_long();
	test_deep();
	return test_end();
}
