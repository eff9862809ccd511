#include "app/python/program_description.h"

#include "app/python/cells.h"
#include "runtime/core/scalar_type.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <set>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;

nb::dict describeValue(const program::Value& value) {
    nb::dict out;
    out["tag"] = text(program::valueTypeName(value));
    if (const auto* const info = value.as<program::TensorInfo>()) {
        out["sizes"] = nb::tuple(nb::cast(std::vector<std::int64_t>(info->sizes)));
        out["dtype"] = static_cast<int>(info->scalarType);
        out["dtype_name"] = text(core::scalarTypeName(info->scalarType));
        out["nbytes"] = info->byteSize.value_or(0);
        out["planned"] = info->allocation.has_value();
        out["name"] = text(info->name);
    }
    return out;
}

nb::list describeValues(const program::Method& method, const std::vector<program::ValueId>& ids) {
    return pythonList(ids, [&](const program::ValueId id) { return describeValue(method.value(id)); });
}

/// Named tensors that keep their values between executions.
nb::list stateOf(const program::Method& method) {
    nb::list out;
    for (const program::Value& value : method.values) {
        const auto* const info = value.as<program::TensorInfo>();
        if (info != nullptr && info->allocation && !info->name.empty()) {
            out.append(describeValue(value));
        }
    }
    return out;
}

}  // namespace

nb::dict describeMethodValues(const program::Method& method) {
    nb::list buffers;
    for (std::size_t i = 1; i < method.arenas.size(); ++i) {  // 0 is reserved
        buffers.append(method.arenas[i].bytes);
    }
    nb::list backends;
    std::set<std::string_view> seen;
    for (const program::Delegate& delegate : method.delegates) {
        if (seen.insert(delegate.backend).second) {
            backends.append(text(delegate.backend));
        }
    }
    std::size_t instructions = 0;
    for (const program::Chain& chain : method.chains) {
        instructions += chain.instructions.size();
    }
    nb::dict out;
    out["name"] = text(method.name);
    out["inputs"] = describeValues(method, method.inputs);
    out["outputs"] = describeValues(method, method.outputs);
    out["attributes"] = stateOf(method);
    out["buffers"] = buffers;
    out["backends"] = backends;
    out["instructions"] = instructions;
    return out;
}

}  // namespace et::python
