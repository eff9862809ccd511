#include "runtime/program/value_flow.h"

#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace et::program {

using core::GraphValue;
using core::GraphValueId;

ValueFlow::ValueFlow(const Method& of, core::ModelGraph& into, Data data)
    : method(of),
      graph(into),
      hasData(data == Data::With),
      current(of.values.size()),
      changing(of.values.size()) {
    for (const ValueId input : method.inputs) {
        changing[input.value] = true;
        current[input.value] = graph.addValue(describe(input, GraphValue::Role::Input));
        fill(input);
    }
}

GraphValue ValueFlow::describe(ValueId id, GraphValue::Role role) const {
    GraphValue value{.name = fmt::format("v{}", id.value), .type = {}, .role = role};
    const auto* tensor = method.value(id).as<TensorInfo>();
    if (tensor == nullptr) {
        value.type = std::string(valueTypeName(method.value(id)));
        return value;
    }
    value.type =
        fmt::format("{} {}", core::scalarTypeName(tensor->scalarType), core::sizesText(tensor->sizes));
    value.bytes = static_cast<std::uint64_t>(tensor->byteSize.value_or(0));
    if (hasData && role == GraphValue::Role::Constant) {
        value.data = tensor->data;
    }
    if (!tensor->name.empty()) {
        value.attributes.push_back({"name", std::string(tensor->name)});
    }
    if (const auto added = attributes.find(id); added != attributes.end()) {
        value.attributes.push_back(added->second);
    }
    if (tensor->allocation) {
        value.attributes.push_back({"memory", fmt::format("arena {} at {}", tensor->allocation->arena.value,
                                                          tensor->allocation->offset)});
    }
    if (tensor->dynamism != ShapeDynamism::Static) {
        const bool bounded = tensor->dynamism == ShapeDynamism::Bounded;
        value.attributes.push_back({"shape", bounded ? "upper bound" : "determined at run time"});
    }
    return value;
}

GraphValueId ValueFlow::now(ValueId id) {
    std::optional<GraphValueId>& known = current[id.value];
    if (!known) {
        known = viewed(id);
    }
    if (!known) {
        const auto* tensor = method.value(id).as<TensorInfo>();
        const bool constant = tensor != nullptr && tensor->initialData != InitialData::None;
        known = graph.addValue(
            describe(id, constant ? GraphValue::Role::Constant : GraphValue::Role::Intermediate));
    }
    return *known;
}

std::optional<GraphValueId> ValueFlow::viewed(ValueId id) const {
    const auto* tensor = method.value(id).as<TensorInfo>();
    if (tensor == nullptr || !tensor->allocation || tensor->initialData != InitialData::None) {
        return std::nullopt;
    }
    const auto found = filled.find({tensor->allocation->arena, tensor->allocation->offset});
    const bool fits = found != filled.end() && graph.value(found->second).bytes >=
                                                   static_cast<std::uint64_t>(tensor->byteSize.value_or(0));
    return fits ? std::optional(found->second) : std::nullopt;
}

/// Records the value that now occupies the memory of `id`.
void ValueFlow::fill(ValueId id) {
    const auto* tensor = method.value(id).as<TensorInfo>();
    if (tensor != nullptr && tensor->allocation) {
        filled[{tensor->allocation->arena, tensor->allocation->offset}] = *current[id.value];
    }
}

GraphValueId ValueFlow::write(ValueId id) {
    GraphValue value = describe(id, GraphValue::Role::Intermediate);
    if (current[id.value]) {
        value.attributes.push_back({"written", "again, in place"});
    }
    changing[id.value] = true;
    current[id.value] = graph.addValue(std::move(value));
    fill(id);
    return *current[id.value];
}

bool ValueFlow::flows(ValueId id) const {
    return method.value(id).is<TensorInfo>() || changing[id.value];
}

}  // namespace et::program
