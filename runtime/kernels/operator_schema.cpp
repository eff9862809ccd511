#include "runtime/kernels/operator_schema.h"

#include "runtime/kernels/schemas/rows.h"

#include <algorithm>

namespace et::kernels {
namespace {

/// Returns "aten::add" for "aten::add.out".
std::string_view withoutOverload(std::string_view name) {
    return name.substr(0, name.find('.'));
}

}  // namespace

std::array<std::span<const OperatorSchema>, 2> operatorSchemas() {
    return {schemas::aten(), schemas::libraries()};
}

const OperatorSchema* findSchema(std::string_view name) {
    for (const auto rows : operatorSchemas()) {
        const auto exact = std::ranges::lower_bound(rows, name, {}, &OperatorSchema::name);
        if (exact != rows.end() && exact->name == name) {
            return &*exact;
        }
        // '.' sorts before all characters of names, so overloads are adjacent and in the order of operators.
        const std::string_view op = withoutOverload(name);
        const auto first = std::ranges::lower_bound(
            rows, op, {}, [](const OperatorSchema& row) { return withoutOverload(row.name); });
        if (first != rows.end() && withoutOverload(first->name) == op) {
            return &*first;
        }
    }
    return nullptr;
}

}  // namespace et::kernels
