#include "tests/backends/reference/record_cases.h"

#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <type_traits>

namespace et::test {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;

/// By file, relative to the shared data.
std::map<std::string, bundled_program::Tolerance> manifestTolerances() {
    std::map<std::string, bundled_program::Tolerance> tolerances;
    simdjson::dom::parser parser;
    const simdjson::dom::element root = parser.load((sharedData() / "manifest.json").string()).value();
    const simdjson::dom::array programs = root["programs"].get_array().value();
    for (const simdjson::dom::element program : programs) {
        const simdjson::dom::array files = program["files"].get_array().value();
        for (const simdjson::dom::element file : files) {
            tolerances[std::string(file.get_string().value())] = {
                .relative = program["rtol"].get_double().value(),
                .absolute = program["atol"].get_double().value()};
        }
    }
    return tolerances;
}

core::Value boxed(const ReferenceValue& value) {
    return std::visit(
        [](const auto& content) {
            using Content = std::remove_cvref_t<decltype(content)>;
            if constexpr (std::is_same_v<Content, ReferenceTensor>) {
                return core::Value(content.view);
            } else if constexpr (std::is_same_v<Content, std::string> ||
                                 std::is_same_v<Content, ReferenceValue::List>) {
                return core::Value();
            } else {
                return core::Value(content);
            }
        },
        value.content);
}

}  // namespace

std::vector<RecordCase> recordCases() {
    const auto tolerances = manifestTolerances();
    std::vector<RecordCase> cases;
    for (const auto& record : sharedFiles("programs", ".etrecord")) {
        std::filesystem::path bundle = record;
        bundle.replace_extension(".bpte");
        if (!std::filesystem::exists(bundle)) {
            continue;
        }
        const auto known = tolerances.find(std::filesystem::relative(bundle, sharedData()).string());
        cases.push_back(
            {.record = record,
             .bundle = bundle,
             .tolerance = known == tolerances.end() ? bundled_program::Tolerance{} : known->second});
    }
    return cases;
}

std::vector<ReferenceValue> inputsOf(const bundled_program::TestCase& test) {
    std::vector<ReferenceValue> inputs;
    for (const bundled_program::BundledValue& value : test.inputs) {
        inputs.push_back(std::visit(
            [](const auto& content) -> ReferenceValue {
                using Content = std::remove_cvref_t<decltype(content)>;
                if constexpr (std::is_same_v<Content, bundled_program::BundledTensor>) {
                    auto tensor = bundled_program::tensorOver(content);
                    return tensor ? ReferenceValue{ReferenceTensor{.view = *tensor, .owner = nullptr}}
                                  : ReferenceValue{};
                } else {
                    return ReferenceValue{content};
                }
            },
            value));
    }
    return inputs;
}

std::string difference(const std::vector<ReferenceValue>& given,
                       const std::vector<bundled_program::BundledValue>& expected,
                       const bundled_program::Tolerance& tolerance) {
    if (given.size() != expected.size()) {
        return fmt::format("expected {} outputs, got {}", expected.size(), given.size());
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
        core::Value value = boxed(given[i]);
        const auto result =
            bundled_program::compare(value, expected[i], bundled_program::Tolerances(tolerance));
        if (!result.agrees()) {
            return fmt::format("output {}: {}", i, result.difference);
        }
    }
    return {};
}

}  // namespace et::test
