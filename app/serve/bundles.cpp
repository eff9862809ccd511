#include "app/serve/functions.h"
#include "app/serve/given_inputs.h"
#include "app/serve/sources.h"
#include "app/serve/tensors.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/bundle/case_maker.h"
#include "bundled_program/bundle.h"
#include "bundled_program/case_check.h"
#include "bundled_program/writer.h"
#include "runtime/program/program.h"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace et::serve {
namespace {

using bundled_program::Bundle;
using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using bundled_program::TestCase;
using bundled_program::TestSuite;

/// (dtype, sizes, bytes, dim order)
Value rawTensor(const Bundle& bundle, const BundledTensor& tensor) {
    return tupleOf(static_cast<int>(tensor.scalarType), valueOf(tensor.sizes),
                   Value(Blob{.bytes = tensor.data, .owner = bundle.file}), valueOf(tensor.dimOrder));
}

Value tensorArray(const Bundle& bundle, const BundledTensor& tensor) {
    return array(tensor.scalarType, tensor.sizes, tensor.dimOrder, tensor.data, bundle.file);
}

using BundledTensorObject = Value (*)(const Bundle&, const BundledTensor&);

Value bundledValue(const Bundle& bundle, const BundledValue& value, BundledTensorObject tensor) {
    return std::visit(
        [&](const auto& held) -> Value {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return Value();
            } else if constexpr (std::is_same_v<Held, BundledTensor>) {
                return tensor(bundle, held);
            } else {
                return valueOf(held);
            }
        },
        value);
}

List bundledValues(const Bundle& bundle, const std::vector<BundledValue>& values,
                   BundledTensorObject tensor) {
    return collected(values, [&](const BundledValue& each) { return bundledValue(bundle, each, tensor); });
}

const TestCase& caseOf(const Bundle& bundle, const std::string& method, std::size_t index) {
    const TestSuite* const suite = bundle.findSuite(method);
    const std::size_t count = suite == nullptr ? 0 : suite->cases.size();
    if (index >= count) {
        raise({.code = core::ErrorCode::NotFound,
               .message =
                   fmt::format("no case {}: method \"{}\" has {}", index, core::printable(method), count),
               .where = {.file = bundle.file->name(), .field = {}, .offset = {}}});
    }
    return suite->cases[index];
}

template <BundledTensorObject tensor>
List inputsOf(const Bundle& self, const std::string& method, std::size_t index) {
    return bundledValues(self, caseOf(self, method, index).inputs, tensor);
}

template <BundledTensorObject tensor>
List expectedOutputsOf(const Bundle& self, const std::string& method, std::size_t index) {
    return bundledValues(self, caseOf(self, method, index).expectedOutputs, tensor);
}

List suites(const Bundle& bundle) {
    return collected(bundle.suites,
                     [](const TestSuite& suite) { return tupleOf(text(suite.method), suite.cases.size()); });
}

using GivenCase = std::tuple<List, List>;  ///< inputs, expected outputs

/// Test cases of methods, with the memory that they refer to.
class GivenCases {
  public:
    explicit GivenCases(const program::Program& of) : program(of) {}

    /// Throws ArgumentError for values that do not match the
    /// method.
    void add(const std::string& methodName, std::vector<GivenCase> cases) {
        const program::Method* const method = program.findMethod(methodName);
        if (method == nullptr) {
            raise({.code = core::ErrorCode::NotFound,
                   .message = fmt::format("no method \"{}\"", core::printable(methodName)),
                   .where = {.file = program.file->name(), .field = {}, .offset = {}}});
        }
        TestSuite& suite = made.emplace_back(TestSuite{.method = method->name, .cases = {}});
        for (auto& [asked, expected] : cases) {
            suite.cases.push_back(caseOf(*method, std::move(asked), std::move(expected)));
            check(*method, suite);
        }
    }
    [[nodiscard]] const std::vector<TestSuite>& all() const { return made; }

  private:
    TestCase caseOf(const program::Method& method, List asked, List expected) {
        tasks::CaseMaker& maker = makers.emplace_back(method);
        unwrap(maker.setInputs(setOf(method, method.inputs, "inputs", std::move(asked))));
        if (!expected.empty()) {
            unwrap(maker.setExpected(setOf(method, method.outputs, "expected_outputs", std::move(expected))));
        }
        return maker.made();
    }
    const tasks::InputSet& setOf(const program::Method& method, const std::vector<program::ValueId>& ids,
                                 const char* noun, List values) {
        const GivenInputs& given = inputs.emplace_back(method, ids, noun, std::move(values));
        tasks::InputSet& set = sets.emplace_back();
        set.values = given.values();
        set.sources.resize(set.values.size());
        return set;
    }
    static void check(const program::Method& method, const TestSuite& suite) {
        const TestCase& last = suite.cases.back();
        program::Method asked = method;
        if (last.expectedOutputs.empty()) {  // for measurement, not for verification
            asked.outputs.clear();
        }
        if (auto fits = checkCase(asked, last); !fits) {
            core::Error error = std::move(fits).error();
            error.where.field = fmt::format("case {}", suite.cases.size() - 1);
            raise(error);
        }
    }

    const program::Program& program;
    std::deque<GivenInputs> inputs;
    std::deque<tasks::InputSet> sets;
    std::deque<tasks::CaseMaker> makers;
    std::vector<TestSuite> made;
};

/// Returns the bytes of a bundled program, built from a program (path or bytes) and `suites`, (method,
/// [(inputs, outputs)]) of each.
std::vector<std::byte> writeBundle(Value source,
                                   std::vector<std::tuple<std::string, std::vector<GivenCase>>> suites) {
    const tasks::ProgramFile file = unwrap(tasks::ProgramFile::parse(contents(source)));
    GivenCases given(*file.program);
    for (auto& [method, cases] : suites) {
        given.add(method, std::move(cases));
    }
    return unwrap(bundled_program::writeBundle(file.program->bytes, given.all()));
}

BundledValue rawValue(Value& given) {
    if (given.isNone()) {
        return std::monostate{};
    }
    if (const auto* const truth = given.as<bool>()) {
        return *truth;
    }
    if (const auto* const number = given.as<double>()) {
        return *number;
    }
    if (given.as<Tuple>() == nullptr && given.as<List>() == nullptr) {
        return Argument<std::int64_t>::from(given);
    }
    auto [type, sizes, data, order] =
        Argument<std::tuple<std::int8_t, std::vector<std::int64_t>, Value, std::vector<std::uint8_t>>>::from(
            given);
    const auto* const blob = data.as<Blob>();
    if (blob == nullptr) {
        refuseType("bytes", data);
    }
    // The memory of a blob belongs to the message of the call, which outlives the result.
    return BundledTensor{
        .scalarType = type, .sizes = std::move(sizes), .dimOrder = std::move(order), .data = blob->bytes};
}

std::vector<BundledValue> rawValues(List& given) {
    std::vector<BundledValue> out;
    for (Value& each : given) {
        out.push_back(rawValue(each));
    }
    return out;
}

/// Returns the bytes of a bundled program from the values of Bundle.raw_inputs and
/// Bundle.raw_expected_outputs.
std::vector<std::byte> writeRawBundle(Value source,
                                      std::vector<std::tuple<std::string, std::vector<GivenCase>>> suites) {
    const std::shared_ptr<const core::MappedFile> program = contents(source);
    std::vector<TestSuite> made;
    for (auto& [method, cases] : suites) {
        TestSuite& suite = made.emplace_back(TestSuite{.method = method, .cases = {}});
        for (auto& [inputs, expected] : cases) {
            suite.cases.push_back({.inputs = rawValues(inputs), .expectedOutputs = rawValues(expected)});
        }
    }
    return unwrap(bundled_program::writeBundle(program->bytes(), made));
}

std::shared_ptr<const Bundle> openBundle(Value source) {
    return unwrap(Bundle::parse(contents(source)));
}

constexpr std::array bundleTable{
    function<&writeBundle>("write_bundle"),
    function<&writeRawBundle>("write_raw_bundle"),
    function<&openBundle>("Bundle.open"),
    function<[](const Bundle& self) { return text(self.file->name()); }>("Bundle.path"),
    function<&suites>("Bundle.suites"),
    function<[](const Bundle& self) { return Value(Blob{.bytes = self.program, .owner = self.file}); }>(
        "Bundle.program"),
    function<[](const Bundle& self) { return self.version; }>("Bundle.version"),
    function<&inputsOf<&tensorArray>>("Bundle.inputs"),
    function<&expectedOutputsOf<&tensorArray>>("Bundle.expected_outputs"),
    function<&inputsOf<&rawTensor>>("Bundle.raw_inputs"),
    function<&expectedOutputsOf<&rawTensor>>("Bundle.raw_expected_outputs"),
};

}  // namespace

std::span<const Function> bundleFunctions() {
    return bundleTable;
}

}  // namespace et::serve
