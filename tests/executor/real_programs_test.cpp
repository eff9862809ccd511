// Tests of real programs with known results, and damaged ones that must be refused when they run.

#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"
#include "tests/executor/run_program.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <simdjson.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace et::test {
namespace {

namespace dom = simdjson::dom;

/// A program with all built-in operators and small limits.
struct RealProgram {
    explicit RealProgram(const std::filesystem::path& path)
        : opened(program::Program::open(path)),
          module(opened ? *opened : std::make_shared<program::Program>(),
                 {.kernels = kernels::builtin(), .threads = threads, .limits = {.instructions = 10'000}}) {}

    kernels::ThreadPool threads;
    core::Result<std::shared_ptr<const program::Program>> opened;
    executor::Module module;
};

/// Sets every input to ones (or to its value at export) and runs.
core::Result<> runOnOnes(executor::Method& method) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < method.inputCount(); ++i) {
        const auto& declared = method.description().value(method.description().inputs[i]);
        if (const auto* info = declared.as<program::TensorInfo>()) {
            bytes.assign(static_cast<std::size_t>(info->byteSize.value_or(0)), std::byte{1});
            ET_TRY(method.setInput(
                i, executor::TensorInput{.dtype = static_cast<core::ScalarType>(info->scalarType),
                                         .sizes = info->sizes,
                                         .dimOrder = info->dimOrder,
                                         .data = bytes}));
        }
    }
    return method.execute();
}

/// Opens, loads and runs all methods; returns the first error.
core::Result<> runAll(const std::filesystem::path& path) {
    RealProgram real(path);
    ET_ASSIGN(const auto program, real.opened);
    for (const program::Method& description : program->methods) {
        ET_ASSIGN(executor::Method * method, real.module.load(description.name));
        ET_TRY(runOnOnes(*method));
    }
    return {};
}

TEST(RealProgramsTest, BrokenProgramsGetAnError) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = sharedData() / "broken";
    dom::parser parser;
    const dom::element manifest = parser.load((folder / "manifest.json").string());
    std::size_t ran = 0;
    for (const dom::element entry : dom::array(manifest)) {
        const std::string_view file = entry["file"];
        if (!file.ends_with(".pte")) {
            continue;
        }
        const auto done = runAll(folder / file);
        if (std::string_view(entry["verdict"]) == "error") {
            EXPECT_FALSE(done) << file;
        }
        EXPECT_EQ(errorText(done).find('\n'), std::string::npos) << file;
        ++ran;
    }
    EXPECT_GT(ran, 50U);
}

TEST(RealProgramsTest, OldProgramsRun) {
    ET_NEEDS_SHARED_DATA();
    for (const char* file : {"legacy/add.pte", "legacy/linear_no_constant_segment.pte"}) {
        EXPECT_EQ(errorText(runAll(sharedData() / file)), "") << file;
    }
}

/// The "inputs" and "outputs" of an .io.json file: those of the exporter's eager model.
class RecordedCase {
  public:
    explicit RecordedCase(executor::Method& loaded) : method(loaded) {}

    void run(dom::element recorded) {
        const dom::array inputs = recorded["inputs"].get_array().value();
        std::size_t index = 0;
        for (const dom::element input : inputs) {
            ASSERT_EQ(errorText(set(index, input)), "");
            ++index;
        }
        ASSERT_EQ(errorText(method.execute()), "");
        const dom::array outputs = recorded["outputs"].get_array().value();
        ASSERT_EQ(outputs.size(), method.outputCount());
        index = 0;
        for (const dom::element output : outputs) {
            check(method.output(index), output);
            ++index;
        }
    }

  private:
    static std::vector<double> numbers(dom::element tensor) {
        std::vector<double> list;
        const dom::element data = tensor["data"];
        if (!data.is_array()) {
            return {data.get_double().value()};
        }
        const dom::array items = data.get_array().value();
        for (const dom::element item : items) {
            list.push_back(item.is_double() ? item.get_double().value()
                                            : static_cast<double>(item.get_int64().value()));
        }
        return list;
    }

    core::Result<> set(std::size_t index, dom::element recorded) {
        std::string_view scalar;
        if (recorded["scalar"].get(scalar) == simdjson::SUCCESS) {
            return method.setInput(index,
                                   number(scalar, std::string(recorded["value"].get_string().value())));
        }
        std::vector<std::int64_t> sizes;
        const dom::array shape = recorded["shape"].get_array().value();
        for (const dom::element size : shape) {
            sizes.push_back(size.get_int64().value());
        }
        const bool isFloat = std::string_view(recorded["dtype"]) == "float32";
        const auto values = numbers(recorded);
        const Floats real(values.begin(), values.end());
        const std::vector<std::int64_t> whole(values.begin(), values.end());
        return method.setInput(
            index, executor::TensorInput{
                       .dtype = isFloat ? core::ScalarType::Float : core::ScalarType::Long,
                       .sizes = sizes,
                       .data = isFloat ? std::as_bytes(std::span(real)) : std::as_bytes(std::span(whole))});
    }

    static executor::InputValue number(std::string_view kind, const std::string& text) {
        if (kind == "int") {
            return std::int64_t{std::stoll(text)};
        }
        if (kind == "float") {
            return std::stod(text);
        }
        if (kind == "bool") {
            return text == "True";
        }
        return std::monostate{};
    }

    static void check(core::Value& given, dom::element recorded) {
        std::string_view scalar;
        if (recorded["scalar"].get(scalar) == simdjson::SUCCESS) {
            const auto expected = number(scalar, std::string(recorded["value"].get_string().value()));
            EXPECT_EQ(given.isNone(), std::holds_alternative<std::monostate>(expected));
            if (const auto shown = given.scalar()) {
                const double wanted = std::visit(
                    []<class T>(const T& value) {
                        if constexpr (std::is_arithmetic_v<T>) {
                            return static_cast<double>(value);
                        }
                        return std::nan("");
                    },
                    expected);
                EXPECT_EQ(shown->to<double>(), wanted);
            }
            return;
        }
        const auto* tensor = given.as<core::Tensor>();
        ASSERT_NE(tensor, nullptr);
        const auto expected = numbers(recorded);
        ASSERT_EQ(static_cast<std::size_t>(tensor->numel()), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double got = tensor->dtype() == core::ScalarType::Float
                                   ? static_cast<double>(tensor->data<float>()[i])
                                   : static_cast<double>(tensor->data<std::int64_t>()[i]);
            EXPECT_NEAR(got, expected[i], 1e-5 + 1e-4 * std::abs(expected[i]));
        }
    }

    executor::Method& method;
};

TEST(RealProgramsTest, GiveTheRecordedOutputs) {
    ET_NEEDS_SHARED_DATA();
    std::size_t ran = 0;
    for (const auto& path : sharedFiles("programs", ".json")) {
        if (!path.filename().string().ends_with(".io.json")) {
            continue;
        }
        SCOPED_TRACE(path);
        std::string program = path.string();
        program.replace(program.size() - 8, 8, ".pte");
        RealProgram real(program);
        ASSERT_TRUE(real.opened) << errorText(real.opened);
        dom::parser parser;
        const dom::object methods = parser.load(path.string()).get_object().value();
        for (const auto& [name, cases] : methods) {
            auto method = real.module.load(name);
            ASSERT_TRUE(method) << errorText(method);
            const dom::array list = cases.get_array().value();
            for (const dom::element recorded : list) {
                RecordedCase(**method).run(recorded);
                ++ran;
            }
        }
    }
    EXPECT_GE(ran, 8U);
}

/// State that methods share in one program but not in another.
TEST(RealProgramsTest, MethodsShareStateAsExported) {
    ET_NEEDS_SHARED_DATA();
    for (const bool shared : {true, false}) {
        RealProgram real(sharedData() / "programs/multi_state" / (shared ? "shared.pte" : "unshared.pte"));
        ASSERT_TRUE(real.opened);
        auto forward = real.module.load("forward");
        auto getState = real.module.load("get_state");
        ASSERT_TRUE(forward && getState);
        ASSERT_EQ(errorText((*getState)->execute()), "");
        const Floats before = outputFloats(**getState);
        const Floats x{1, 2, 3};
        ASSERT_TRUE((*forward)->setInput(0, floats({3}, x)));
        ASSERT_EQ(errorText((*forward)->execute()), "");
        ASSERT_EQ(errorText((*getState)->execute()), "");
        EXPECT_EQ(outputFloats(**getState) != before, shared);
    }
}

}  // namespace
}  // namespace et::test
