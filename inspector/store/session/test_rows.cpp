#include "inspector/store/session/session_rows.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <optional>
#include <type_traits>
#include <variant>

namespace et::inspector::store {
namespace {

using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::Result;

/// A non-tensor value as text.
std::optional<std::string> textOf(const BundledValue& value) {
    return std::visit(
        [](const auto& held) -> std::optional<std::string> {
            if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(held)>>) {
                return fmt::format("{}", held);
            } else {
                return std::nullopt;
            }
        },
        value);
}

Result<> addValues(RowWriter& rows, std::string_view method, std::size_t testCase, std::string_view direction,
                   std::span<const BundledValue> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::optional<std::string> type;
        std::optional<std::string> shape;
        std::optional<std::size_t> bytes;
        if (const auto* const tensor = std::get_if<BundledTensor>(&values[i])) {
            type = core::scalarTypeName(tensor->scalarType);
            shape = jsonList(tensor->sizes);
            bytes = tensor->data.size();
        }
        ET_TRY(rows.add("test_values", method, testCase, direction, i,
                        bundled_program::valueTypeName(values[i]), type, shape, bytes, textOf(values[i])));
    }
    return {};
}

}  // namespace

Result<> addTestRows(RowWriter& rows, const Session& session) {
    if (session.bundle == nullptr) {
        return {};
    }
    for (const bundled_program::TestSuite& suite : session.bundle->suites) {
        for (std::size_t i = 0; i < suite.cases.size(); ++i) {
            const bundled_program::TestCase& each = suite.cases[i];
            ET_TRY(rows.add("tests", suite.method, i, each.inputs.size(), each.expectedOutputs.size()));
            ET_TRY(addValues(rows, suite.method, i, "input", each.inputs));
            ET_TRY(addValues(rows, suite.method, i, "output", each.expectedOutputs));
        }
    }
    return {};
}

}  // namespace et::inspector::store
