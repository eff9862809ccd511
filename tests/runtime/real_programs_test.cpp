#include "bundled_program/bundle.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/program.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace et::program {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;

std::shared_ptr<const Program> openProgram(const std::filesystem::path& path) {
    auto opened = [&]() -> core::Result<std::shared_ptr<const Program>> {
        if (path.extension() != ".bpte") {
            return Program::open(path);
        }
        return bundled_program::Bundle::open(path).and_then(
            [](const auto& bundle) { return Program::parse(bundle->file, bundle->program); });
    }();
    EXPECT_TRUE(opened) << opened.error().toString();
    return opened ? *opened : nullptr;
}

std::string toText(std::string_view text) {
    return std::string(text);
}

std::vector<std::string> strings(array list) {
    std::vector<std::string> all;
    for (const element item : list) {
        all.emplace_back(std::string_view(item));
    }
    return all;
}

template <class T>
std::vector<T> numbers(array list) {
    std::vector<T> all;
    for (const element item : list) {
        all.push_back(static_cast<T>(std::uint64_t(item)));
    }
    return all;
}

/// Compares a value with its text in the manifest, which uses Python's str().
void expectValue(const Value& value, element wanted) {
    ASSERT_EQ(valueTypeName(value), std::string_view(wanted["type"]));
    if (const auto* tensor = value.as<TensorInfo>()) {
        const auto info = core::scalarType(tensor->scalarType);
        ASSERT_TRUE(info);
        EXPECT_EQ(info->name, std::string_view(wanted["scalar_type"]));
        EXPECT_EQ(tensor->sizes, numbers<std::int64_t>(wanted["sizes"]));
        EXPECT_EQ(tensor->dimOrder, numbers<std::uint8_t>(wanted["dim_order"]));
        return;
    }
    if (value.is<std::monostate>()) {
        EXPECT_TRUE(wanted["value"].is_null());
        return;
    }
    const std::string text = toText(wanted["value"]);
    if (const auto* number = value.as<std::int64_t>()) {
        EXPECT_EQ(std::to_string(*number), text);
    } else if (const auto* truth = value.as<bool>()) {
        EXPECT_EQ(*truth ? "True" : "False", text);
    } else if (const auto* real = value.as<double>()) {
        EXPECT_EQ(*real, std::stod(text));
    } else if (const auto* words = value.as<std::string_view>()) {
        EXPECT_EQ(*words, text);
    } else {
        ADD_FAILURE() << "the manifest has no " << valueTypeName(value);
    }
}

void expectValues(const Method& method, const std::vector<ValueId>& ids, array wanted) {
    ASSERT_EQ(ids.size(), wanted.size());
    std::size_t index = 0;
    for (const element value : wanted) {
        SCOPED_TRACE(index);
        expectValue(method.value(ids[index]), value);
        ++index;
    }
}

std::map<std::string, std::uint64_t> instructionCounts(const Method& method) {
    std::map<std::string, std::uint64_t> counts;
    for (const Chain& chain : method.chains) {
        for (const Instruction& instruction : chain.instructions) {
            ++counts[std::string(instructionName(instruction))];
        }
    }
    return counts;
}

void expectMethod(const Method& method, element wanted) {
    SCOPED_TRACE(std::string(method.name));
    EXPECT_EQ(method.name, std::string_view(wanted["name"]));
    std::vector<std::string> operators;
    for (const Operator& op : method.operators) {
        operators.push_back(op.fullName());
    }
    std::ranges::sort(operators);  // in manifest order
    EXPECT_EQ(operators, strings(wanted["operators"]));
    std::vector<std::string> delegates;
    for (const Delegate& delegate : method.delegates) {
        delegates.emplace_back(delegate.backend);
    }
    EXPECT_EQ(delegates, strings(wanted["delegates"]));
    std::map<std::string, std::uint64_t> counts;
    for (const auto [kind, count] : wanted["instructions"].get_object()) {
        counts[std::string(kind)] = std::uint64_t(count);
    }
    EXPECT_EQ(instructionCounts(method), counts);
    expectValues(method, method.inputs, wanted["inputs"]);
    expectValues(method, method.outputs, wanted["outputs"]);
    std::vector<std::uint64_t> planned;
    for (const Arena& arena : method.arenas) {
        planned.push_back(arena.bytes);
    }
    EXPECT_EQ(planned, numbers<std::uint64_t>(wanted["planned_bytes"]));
}

/// Returns each file of an entry that is or contains a program.
std::vector<std::string> programFiles(element entry) {
    std::vector<std::string> files;
    for (const std::string& file : strings(entry["files"])) {
        if (file.ends_with(".pte") || file.ends_with(".bpte")) {
            files.push_back(file);
        }
    }
    return files;
}

TEST(RealProgramsTest, MatchTheManifest) {
    ET_NEEDS_SHARED_DATA();
    simdjson::dom::parser parser;
    const element manifest = parser.load((test::sharedData() / "manifest.json").string());
    std::size_t checked = 0;
    for (const element entry : array(manifest["programs"])) {
        for (const std::string& file : programFiles(entry)) {
            SCOPED_TRACE(file);
            const auto program = openProgram(test::sharedData() / file);
            ASSERT_NE(program, nullptr);
            const array methods = entry["methods"];
            ASSERT_EQ(program->methods.size(), methods.size());
            std::size_t index = 0;
            for (const element method : methods) {
                expectMethod(program->methods[index++], method);
            }
            ++checked;
        }
    }
    EXPECT_GT(checked, 100U);
}

/// Checks a property that the reader does not: all references into the file are inside it.
void expectInside(const Program& program) {
    const core::Bytes file = program.bytes;
    const auto inside = [&](core::Bytes part) {
        return part.empty() ||
               (part.data() >= file.data() && part.data() + part.size() <= file.data() + file.size());
    };
    for (const Method& method : program.methods) {
        for (const Value& value : method.values) {
            if (const auto* tensor = value.as<TensorInfo>()) {
                EXPECT_TRUE(inside(tensor->data));
                EXPECT_EQ(tensor->initialData == InitialData::Program,
                          tensor->dataIndex != 0 && tensor->name.empty());
            }
        }
        for (const Delegate& delegate : method.delegates) {
            EXPECT_TRUE(inside(delegate.payload));
        }
    }
}

TEST(RealProgramsTest, EveryFileOpens) {
    ET_NEEDS_SHARED_DATA();
    std::size_t opened = 0;
    for (const char* folder : {"programs", "ops", "legacy"}) {
        for (const char* extension : {".pte", ".bpte"}) {
            for (const auto& path : test::sharedFiles(folder, extension)) {
                SCOPED_TRACE(path.string());
                const auto program = openProgram(path);
                ASSERT_NE(program, nullptr);
                EXPECT_FALSE(program->methods.empty());
                expectInside(*program);
                ++opened;
            }
        }
    }
    EXPECT_GT(opened, 3'800U);
}

TEST(RealProgramsTest, BackendTraitsNameTheDelegates) {
    ET_NEEDS_SHARED_DATA();
    std::size_t specs = 0;
    for (const auto& path : test::sharedFiles("programs/backends", ".bpte")) {
        const auto program = openProgram(path);
        ASSERT_NE(program, nullptr);
        for (const Delegate& delegate : program->methods.at(0).delegates) {
            EXPECT_FALSE(delegate.payload.empty()) << path;
            specs += delegate.compileSpecs.size();
            for (const CompileSpec& spec : delegate.compileSpecs) {
                EXPECT_FALSE(spec.key.empty()) << path;
            }
        }
    }
    EXPECT_GT(specs, 0U);
}

TEST(LegacyProgramsTest, ConstantsInTheFlatbuffer) {
    ET_NEEDS_SHARED_DATA();
    const auto program = openProgram(test::sharedData() / "legacy/linear_no_constant_segment.pte");
    ASSERT_NE(program, nullptr);
    EXPECT_FALSE(program->header);
    EXPECT_EQ(program->inlineConstants.size(), 3U);
    std::size_t constants = 0;
    for (const Value& value : program->methods.at(0).values) {
        const auto* tensor = value.as<TensorInfo>();
        constants +=
            tensor != nullptr && tensor->initialData == InitialData::Program && !tensor->data.empty() ? 1 : 0;
    }
    EXPECT_EQ(constants, 2U) << "weight and bias";
}

TEST(LegacyProgramsTest, QnnLlama) {
    ET_NEEDS_SHARED_DATA();
    const auto program = openProgram(test::sharedData() / "legacy/stories260k_hybrid_llama_qnn.pte");
    ASSERT_NE(program, nullptr);
    bool qnn = false;
    for (const Method& method : program->methods) {
        for (const Delegate& delegate : method.delegates) {
            qnn = qnn || delegate.backend == "QnnBackend";
        }
    }
    EXPECT_TRUE(qnn);
}

TEST(LegacyProgramsTest, KeywordSpotterHasCortexMOperators) {
    ET_NEEDS_SHARED_DATA();
    const auto program = openProgram(test::sharedData() / "legacy/keyword_spotting.pte");
    ASSERT_NE(program, nullptr);
    bool cortexM = false;
    for (const Operator& op : program->methods.at(0).operators) {
        cortexM = cortexM || op.name.starts_with("cortex_m::");
    }
    EXPECT_TRUE(cortexM);
}

}  // namespace
}  // namespace et::program
