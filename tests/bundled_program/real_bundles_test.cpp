#include "bundled_program/bundle.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/program.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <set>
#include <string>

namespace et::bundled_program {
namespace {

/// Broken bundles whose error is only detected in a run, or when program and cases are compared.
const std::set<std::string_view> wrongOnlyWhenRun{
    "wrong_dtype_input.bpte", "missing_inputs.bpte",  "unknown_method.bpte",     "missing_operator.bpte",
    "unknown_backend.bpte",   "delegate_header.bpte", "delegate_identifier.bpte"};

core::Result<std::shared_ptr<const program::Program>> openWhole(const std::filesystem::path& path) {
    return Bundle::open(path).and_then(
        [](const auto& bundle) { return program::Program::parse(bundle->file, bundle->program); });
}

TEST(BrokenBundlesTest, GetTheVerdictOfTheManifest) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "broken";
    simdjson::dom::parser parser;
    const simdjson::dom::element manifest = parser.load((folder / "manifest.json").string());
    std::size_t checked = 0;
    for (const simdjson::dom::element entry : simdjson::dom::array(manifest)) {
        const std::string_view file = entry["file"];
        if (!file.ends_with(".bpte")) {
            continue;
        }
        SCOPED_TRACE(std::string(file));
        const auto program = openWhole(folder / file);
        const bool formIsWrong =
            std::string_view(entry["verdict"]) == "error" && !wrongOnlyWhenRun.contains(file);
        EXPECT_EQ(program.has_value(), !formIsWrong) << (program ? "opens" : program.error().toString());
        if (!program) {
            const std::string line = program.error().toString();
            EXPECT_EQ(line.find('\n'), std::string::npos);
            EXPECT_NE(line.find(file), std::string::npos);
        }
        ++checked;
    }
    EXPECT_GT(checked, 20U);
}

std::size_t expectSameTensor(const BundledValue& value, const program::Value& slot) {
    const auto* given = std::get_if<BundledTensor>(&value);
    const auto* wanted = slot.as<program::TensorInfo>();
    if (given == nullptr || wanted == nullptr) {
        return 0;
    }
    EXPECT_EQ(given->scalarType, wanted->scalarType);
    EXPECT_EQ(given->sizes.size(), wanted->sizes.size());
    EXPECT_EQ(static_cast<std::int64_t>(given->data.size()),
              core::tensorBytes(given->scalarType, given->sizes));
    if (wanted->dynamism == program::ShapeDynamism::Static) {
        EXPECT_EQ(given->sizes, wanted->sizes);
    }
    return 1;
}

/// Checks that a bundle matches its program: methods, and inputs of the program's types and shapes.
std::size_t expectFits(const Bundle& bundle, const program::Program& program) {
    std::size_t tensors = 0;
    for (const TestSuite& suite : bundle.suites) {
        const program::Method* method = program.findMethod(suite.method);
        if (method == nullptr) {
            ADD_FAILURE() << "no method " << suite.method;
            return tensors;
        }
        for (const TestCase& test : suite.cases) {
            EXPECT_EQ(test.inputs.size(), method->inputs.size());
            for (std::size_t i = 0; i < std::min(test.inputs.size(), method->inputs.size()); ++i) {
                tensors += expectSameTensor(test.inputs[i], method->value(method->inputs[i]));
            }
        }
    }
    return tensors;
}

TEST(RealBundlesTest, CasesFitTheirPrograms) {
    ET_NEEDS_SHARED_DATA();
    std::size_t tensors = 0;
    for (const char* folder : {"programs", "ops"}) {
        for (const auto& path : test::sharedFiles(folder, ".bpte")) {
            SCOPED_TRACE(path.string());
            const auto bundle = Bundle::open(path);
            ASSERT_TRUE(bundle) << bundle.error().toString();
            EXPECT_FALSE((*bundle)->suites.empty());
            const auto program = program::Program::parse((*bundle)->file, (*bundle)->program);
            ASSERT_TRUE(program) << program.error().toString();
            tensors += expectFits(**bundle, **program);
        }
    }
    EXPECT_GT(tensors, 3'800U);
}

TEST(RealBundlesTest, ReadsScalarInputs) {
    ET_NEEDS_SHARED_DATA();
    const auto bundle = Bundle::open(test::sharedData() / "programs/scalar_io/in.bpte");
    ASSERT_TRUE(bundle) << bundle.error().toString();
    std::set<std::string_view> types;
    for (const BundledValue& value : (*bundle)->suites.at(0).cases.at(0).inputs) {
        types.insert(valueTypeName(value));
    }
    EXPECT_EQ(types, (std::set<std::string_view>{"Bool", "Double", "Int", "Tensor"}));
}

TEST(LegacyBundleTest, Opens) {
    ET_NEEDS_SHARED_DATA();
    const auto path = test::sharedData() / "legacy/bundled_program.bpte";
    const auto program = openWhole(path);
    ASSERT_TRUE(program) << program.error().toString();
    EXPECT_EQ((*program)->header->length, 24U);
}

}  // namespace
}  // namespace et::bundled_program
