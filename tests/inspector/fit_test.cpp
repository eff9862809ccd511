#include "inspector/fit/fit.h"

#include "inspector/fit/binary_names.h"
#include "inspector/fit/kernel_list.h"
#include "inspector/fit/oplist.h"
#include "inspector/fit/settings_text.h"
#include "inspector/fit/target.h"
#include "tests/inspector/binary_builder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

// Tests of reading descriptions of runtimes and devices. Verdicts are tested in
// tests/conformance/fit_test.cpp.
namespace et::inspector {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Returns a JSON-like text, for comparisons.
std::string shown(const Setting& setting) {
    std::string out;
    if (const auto* const text = setting.text()) {
        return "\"" + *text + "\"";
    }
    if (const auto* const list = setting.list()) {
        for (const auto& item : *list) {
            out += (out.empty() ? "" : ",") + shown(*item);
        }
        return "[" + out + "]";
    }
    if (const auto* const map = setting.map()) {
        for (const auto& [key, value] : *map) {
            out += (out.empty() ? "" : ",") + key + ":" + shown(*value);
        }
        return "{" + out + "}";
    }
    return "null";
}

std::string read(std::string_view text) {
    const auto setting = readSettings(text, "f");
    return setting ? shown(**setting) : "error: " + setting.error().toString();
}

TEST(Settings, BlocksAsPyYamlWritesThem) {
    EXPECT_EQ(read("a: {}\nb:\n- 1\n- x y\nc:\n  d: null\n  e: 'it''s'\n"),
              R"({a:{},b:["1","x y"],c:{d:null,e:"it's"}})");
    EXPECT_EQ(read("---\n- op: add.out\n  kernels:\n    - arg_meta: null\n      kernel_name: a::b # c\n\n- "
                   "op: x\n...\n"),
              R"([{op:"add.out",kernels:[{arg_meta:null,kernel_name:"a::b"}]},{op:"x"}])");
    EXPECT_EQ(read("aten::add.out:\n  - v1/6;0,1|6;0,1  # Float, 0, 1\n"),
              R"({aten::add.out:["v1/6;0,1|6;0,1"]})");
    EXPECT_EQ(read("a: &id001\n- x\nb: *id001\n"), R"({a:["x"],b:["x"]})");
    EXPECT_EQ(read("a: long words\n  that go on\nb: 2\n"), R"({a:"long words that go on",b:"2"})");
    EXPECT_EQ(read(""), "null");
    EXPECT_EQ(read("# nothing\n\n"), "null");
    EXPECT_EQ(read("-\n- \n  a: 1\n"), R"([null,{a:"1"}])");
}

TEST(Settings, Json) {
    EXPECT_EQ(read("{\"a\": [1, 2.5, \"x, \\\"y\\\"\\u0041\"],\n \"b\":{\"c\":null},\n\"d\":[]}\n"),
              R"({a:["1","2.5","x, "y"A"],b:{c:null},d:[]})");
}

TEST(Settings, ErrorsNameTheLine) {
    EXPECT_EQ(read("a: 1\nb\n"), "error: f: line 2: expected \"key: value\", got \"b\"");
    EXPECT_THAT(read("a: [1, 2\n"), HasSubstr("f: line 1: expected ',' or ']', got the end"));
    EXPECT_THAT(read("a: *x\n"), HasSubstr("line 1: no anchor \"x\""));
    EXPECT_THAT(read("a: |\n  x\n"), HasSubstr("\"|\" is not supported here"));
    EXPECT_THAT(read("a: \"x\n"), HasSubstr("does not end on its line"));
    EXPECT_THAT(read("a: 1\n  b: 2\n"), HasSubstr("line 2"));
    EXPECT_THAT(read(std::string(100'000, '[')), HasSubstr("more than 40 levels"));
    EXPECT_THAT(read(std::string("a: \0", 4)), HasSubstr("at offset 3: expected text, got a zero byte"));
    std::string deep;
    for (int i = 0; i < 100; ++i) {
        deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
    }
    EXPECT_THAT(read(deep), HasSubstr("more than 40 levels"));
    // A chain of aliases counts as nesting.
    std::string chain = "a0: &a0 [x]\n";
    for (int i = 1; i < 1000; ++i) {
        chain += fmt::format("a{}: &a{}\n- *a{}\n", i, i, i - 1);
    }
    EXPECT_THAT(read(chain), HasSubstr("more than 40 levels"));
}

TEST(Settings, NoPrefixAndNoMutationCrashes) {
    const std::string text = "a: &x\n- {b: 'c', \"d\": [1,2]}\n- e: f\n  g: *x\nh: i j\n  k\n";
    for (std::size_t i = 0; i <= text.size(); ++i) {
        read(text.substr(0, i));
        for (const char c : std::string_view("\n {}[]:-'\"&*#\\")) {
            std::string changed = text;
            changed[std::min(i, text.size() - 1)] = c;
            read(changed);
        }
    }
}

KernelUse use(std::set<std::int8_t> dtypes, std::string key) {
    return {.dtypes = std::move(dtypes), .key = std::move(key)};
}

TEST(KernelList, TextOfNamesDtypesAndKeys) {
    const KernelList list = readKernelText(
                                "# mine\naten::add.out, aten::sub.out\n"
                                "aten::mul.out: float32, Half 4\n"
                                "aten::cat.out v1/6;0,1|6;0,1 v1/4;0\r\n",
                                "ops.txt")
                                .value();
    EXPECT_EQ(list.match("aten::add.out", use({5}, "v1/5;")), KernelMatch::Fits);
    EXPECT_EQ(list.match("aten::sub.out", use({5}, "v1/5;")), KernelMatch::Fits);
    EXPECT_EQ(list.match("aten::add", use({5}, "")), KernelMatch::NoOperator);
    EXPECT_EQ(list.match("aten::mul.out", use({4, 5, 6}, "")), KernelMatch::Fits);
    EXPECT_EQ(list.match("aten::mul.out", use({4, 7}, "")), KernelMatch::NoDtype);
    EXPECT_EQ(list.missingDtypes("aten::mul.out", use({4, 7}, "")), std::set<std::int8_t>{7});
    EXPECT_EQ(list.match("aten::cat.out", use({6}, "v1/6;0,1|6;0,1")), KernelMatch::Fits);
    EXPECT_EQ(list.match("aten::cat.out", use({6}, "v1/6;1,0|6;0,1")), KernelMatch::NoKernel);
    EXPECT_EQ(list.match("aten::cat.out", use({7}, "v1/7;0,1|7;0,1")), KernelMatch::NoDtype);
    EXPECT_EQ(list.match("executorch_prim::add.Scalar", {}), KernelMatch::Fits) << "comes with every runtime";
    const KernelList prims = readKernelText("executorch_prim::add.Scalar", "f").value();
    EXPECT_EQ(prims.match("executorch_prim::sub.Scalar", {}), KernelMatch::NoOperator)
        << "unless they are listed";
}

TEST(KernelList, TextErrors) {
    const auto message = [](std::string_view text) { return readKernelText(text, "f").error().toString(); };
    EXPECT_EQ(message("aten::add.out\nfloat64\n"),
              "f: line 2: expected an operator such as \"aten::add.out\", got \"float64\"");
    EXPECT_EQ(message("aten::add.out flot32\n"),
              "f: line 1: expected an operator such as \"aten::add.out\", a "
              "dtype or a kernel key, got \"flot32\"");
    EXPECT_THAT(message("\x1b[31m\n"), HasSubstr("\\x1b[31m"));
}

TEST(KernelList, SelectedOperators) {
    const KernelList list = readKernelSettings(
                                "et_kernel_metadata:\n"
                                "  aten::add.out:\n  - v1/6;0,1|6;0,1\n  - v1/4;0\n"
                                "  aten::mul.out: [default]\n"
                                "include_all_operators: false\n"
                                "operators:\n"
                                "  aten::add.out: {is_root_operator: true}\n"
                                "  aten::mul.out: {}\n"
                                "  aten::sub.out: {}\n"
                                "  aten::index:\n    include_all_overloads: true\n",
                                "s.yaml")
                                .value();
    EXPECT_EQ(list.match("aten::add.out", use({4, 6}, "v1/6;1,0")), KernelMatch::Fits)
        << "builds know no dim order";
    EXPECT_EQ(list.match("aten::add.out", use({5}, "")), KernelMatch::NoDtype);
    EXPECT_EQ(list.match("aten::mul.out", use({5}, "")), KernelMatch::Fits);
    EXPECT_EQ(list.match("aten::sub.out", use({5}, "")), KernelMatch::NoOperator)
        << "no kernel is registered";
    EXPECT_THAT(list.notes, ElementsAre(HasSubstr("1 of its operators have no entry")));
    EXPECT_EQ(list.match("aten::index.Tensor_out", use({5}, "")), KernelMatch::Fits);
    EXPECT_EQ(readKernelSettings("include_all_operators: True\n", "f").value().match("aten::x", use({5}, "")),
              KernelMatch::Fits);
    EXPECT_EQ(readKernelSettings("operators:\n  aten::x: {}\n", "f").value().match("aten::x", use({5}, "")),
              KernelMatch::Fits);
}

TEST(KernelList, FunctionsAndDictionaries) {
    const KernelList functions =
        readKernelSettings(
            "- op: add.out\n  kernels:\n  - arg_meta: null\n    kernel_name: a::b\n"
            "- func: my::op.out(Tensor a, *, Tensor(a!) out) -> Tensor(a!)\n"
            "  type_alias: {T0: [Float, Double]}\n  dim_order_alias: {D0: [[0, 1]]}\n"
            "  kernels:\n  - arg_meta:\n      a: [T0, D0]\n      out: [T0, D0]\n    kernel_name: x\n",
            "functions.yaml")
            .value();
    EXPECT_EQ(functions.match("aten::add.out", use({5}, "")), KernelMatch::Fits);
    EXPECT_EQ(functions.match("my::op.out", use({6, 7}, "")), KernelMatch::Fits);
    EXPECT_EQ(functions.match("my::op.out", use({5}, "")), KernelMatch::NoDtype);
    const KernelList dictionary =
        readKernelSettings(R"({"aten::add.out": ["Float", "v1/4;0,1"], "aten::mul.out": []})", "d.json")
            .value();
    EXPECT_EQ(dictionary.match("aten::add.out", use({4, 6}, "")), KernelMatch::Fits);
    EXPECT_EQ(dictionary.match("aten::add.out", use({3}, "")), KernelMatch::NoDtype);
    EXPECT_EQ(dictionary.match("aten::mul.out", use({3}, "")), KernelMatch::Fits);
    EXPECT_THAT(readKernelSettings("a: 1\n", "f").error().toString(), HasSubstr("got \"a\""));
    EXPECT_THAT(readKernelSettings("- x: 1\n", "f").error().toString(), HasSubstr("\"op\" or \"func\""));
    EXPECT_THAT(readKernelSettings("et_kernel_metadata: {aten::a: [v1/x;0]}\n", "f").error().toString(),
                HasSubstr("expected a kernel key"));
}

/// A literal including its zero bytes.
template <std::size_t size>
constexpr std::string_view all(const char (&text)[size]) {
    return {text, size - 1};
}
constexpr std::string_view constants =
    all("aten::add.out\0\x01\x02"
        "aten::mul.out\0native_call_add.out\0torch::executor::x\0std::bad_alloc\0"
        "XnnpackBackend\0mine\0executorch_prim::et_view.default\0aten::cut.out");
constexpr std::string_view symbols =
    all("\0_ZN5torch8executor6native7add_outERNS\0_ZN5torch8executor6native9");

core::Result<BinaryNames> namesOf(std::vector<std::byte> bytes) {
    const std::vector<std::string> wanted{"mine"};
    return readBinaryNames(*core::MappedFile::fromMemory(std::move(bytes), "fw.elf"), wanted);
}

TEST(BinaryNames, OfEveryKindOfElf) {
    for (const bool is64 : {true, false}) {
        for (const bool isBig : {true, false}) {
            for (const bool hasSections : {true, false}) {
                const auto names = namesOf(test::writeElf(constants, symbols, {is64, isBig, hasSections}));
                ASSERT_TRUE(names) << names.error().toString();
                EXPECT_THAT(names->operators, ElementsAre("aten::add.out", "aten::mul.out",
                                                          "executorch_prim::et_view.default"));
                EXPECT_THAT(names->backends, ElementsAre("XnnpackBackend", "mine"));
                EXPECT_EQ(names->pointerBytes, is64 ? 8U : 4U);
                EXPECT_EQ(names->hasSymbols, hasSections);
                EXPECT_EQ(names->kernels.contains("add_out"), hasSections);
                EXPECT_EQ(names->objects, 1U);
            }
        }
    }
}

TEST(BinaryNames, OfArchives) {
    const auto first = test::writeElf(all("aten::a.out\0"), "", {});
    const auto second = test::writeElf(all("aten::b.out\0"), "", {.is64 = false});
    std::vector<std::byte> odd(3);
    const auto names = namesOf(test::writeArchive({{"odd", odd}, {"a.o", first}, {"b.o", second}})).value();
    EXPECT_THAT(names.operators, ElementsAre("aten::a.out", "aten::b.out"));
    EXPECT_EQ(names.objects, 2U);
    EXPECT_EQ(names.pointerBytes, 0U);
    EXPECT_THAT(namesOf(test::writeArchive({{"odd", odd}})).error().toString(),
                HasSubstr("contains no ELF file"));
    const std::string thin = "!<thin>\nx";
    const auto bytes = std::as_bytes(std::span(thin));
    EXPECT_THAT(namesOf({bytes.begin(), bytes.end()}).error().toString(),
                HasSubstr("fw.elf: thin archives are not supported"));
}

TEST(BinaryNames, UnregisteredKernelIsNotAnOperator) {
    const KernelList list = collectKernels(namesOf(test::writeElf("none", symbols, {})).value());
    EXPECT_THAT(list.notes, ElementsAre(HasSubstr("1 kernel functions but registers none")));
    EXPECT_EQ(list.match("aten::add.out", use({6}, "")), KernelMatch::NoOperator);
}

TEST(BinaryNames, DamageIsAnErrorOrFewerNames) {
    const auto whole = test::writeElf(constants, symbols, {});
    const auto archive = test::writeArchive({{"a.o", whole}});
    for (const auto& file : {whole, archive}) {
        // The final padding byte of an archive is optional.
        const std::size_t last = file == archive ? file.size() - whole.size() % 2 : file.size();
        for (std::size_t i = 0; i < last; ++i) {
            const auto cut = namesOf({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(i)});
            EXPECT_FALSE(cut) << i;
            for (const unsigned value : {0x00U, 0x7fU, 0xffU}) {
                auto changed = file;
                changed[i] = static_cast<std::byte>(value);
                if (const auto names = namesOf(changed); !names) {
                    EXPECT_EQ(names.error().where.file, "fw.elf");
                }
            }
        }
    }
    EXPECT_EQ(namesOf({}).error().toString(), "fw.elf: e_ident at offset 0: expected the ELF magic");
}

TEST(Target, ReadsEveryKey) {
    const Target target =
        readTarget(
            "name: board\npointer_size: 4\nalignment: 16\nbackends: [XnnpackBackend]\n"
            "lacks: [named_data, dynamic_shapes]\npayload: copied\n"
            "flash_bytes: 1 MiB\nram_bytes: 262144\n"
            "pools:\n  method: 16 KiB\n  planned: [128 KiB, 4096]\n  temporary: 1KiB\n  io: 0\n"
            "  stack: 4 KiB\n",
            "t")
            .value();
    EXPECT_EQ(target.name, "board");
    EXPECT_EQ(target.pointerBytes, 4U);
    EXPECT_EQ(target.alignment, 16U);
    EXPECT_THAT(*target.backends, ElementsAre("XnnpackBackend"));
    EXPECT_THAT(target.lacks, ElementsAre(Feature::NamedData, Feature::DynamicShapes));
    EXPECT_FALSE(target.inPlace);
    EXPECT_EQ(target.flashBytes, 1U << 20U);
    EXPECT_EQ(target.ramBytes, 262144U);
    EXPECT_EQ(target.methodBytes, 16384U);
    EXPECT_THAT(target.plannedBytes, ElementsAre(131072U, 4096U));
    EXPECT_FALSE(target.plannedTogether);
    EXPECT_EQ(target.temporaryBytes, 1024U);
    EXPECT_EQ(target.ioBytes, 0U);
    EXPECT_EQ(target.stackBytes, 4096U);
    EXPECT_TRUE(readTarget("pools: {planned: 5}", "t").value().plannedTogether);
}

TEST(Target, ErrorsNameTheKey) {
    const auto message = [](std::string_view text) { return readTarget(text, "t").error().toString(); };
    EXPECT_EQ(message("a: 1\nflsh: 2\n"),
              "t: a in line 1: unknown key; available: name, pointer_size, alignment, "
              "backends, lacks, pools, flash_bytes, ram_bytes, payload");
    EXPECT_THAT(message("pools: {planned: [many]}"),
                HasSubstr("pools.planned in line 1: expected a number of bytes"));
    EXPECT_THAT(message("flash_bytes: 99999999999999 GiB"), HasSubstr("expected a number of bytes"));
    EXPECT_THAT(message("alignment: 12"), HasSubstr("expected a power of two, got 12"));
    EXPECT_THAT(message("lacks: [x]"), HasSubstr("unknown \"x\"; available: segments"));
    EXPECT_THAT(message("- a\n"), HasSubstr("expected a map, got a list"));
}

}  // namespace
}  // namespace et::inspector
