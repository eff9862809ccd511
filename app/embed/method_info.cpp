#include "app/embed/convert.h"
#include "app/embed/module_impl.h"

#include <algorithm>
#include <utility>

// Descriptions of methods.
namespace et_inspect {
namespace {

ValueInfo infoOf(const et::program::Value& value) {
    ValueInfo info;
    if (const auto* tensor = value.as<et::program::TensorInfo>()) {
        info.kind = ValueInfo::Kind::Tensor;
        info.dtype = static_cast<DType>(tensor->scalarType);
        info.sizes.assign(tensor->sizes.begin(), tensor->sizes.end());
        info.dim_order.assign(tensor->dimOrder.begin(), tensor->dimOrder.end());
        info.is_planned = tensor->allocation.has_value();
    } else if (value.is<std::int64_t>()) {
        info.kind = ValueInfo::Kind::Int;
    } else if (value.is<double>()) {
        info.kind = ValueInfo::Kind::Double;
    } else if (value.is<bool>()) {
        info.kind = ValueInfo::Kind::Bool;
    } else if (value.is<std::string_view>()) {
        info.kind = ValueInfo::Kind::String;
    } else if (!value.is<std::monostate>()) {
        info.kind = ValueInfo::Kind::Other;
    }
    return info;
}

void addOnce(std::vector<std::string>& names, std::string name) {
    if (!std::ranges::contains(names, name)) {
        names.push_back(std::move(name));
    }
}

MethodInfo infoOf(const et::program::Method& method) {
    MethodInfo info{.name = std::string(method.name)};
    for (const et::program::ValueId id : method.inputs) {
        info.inputs.push_back(infoOf(method.value(id)));
    }
    for (const et::program::ValueId id : method.outputs) {
        info.outputs.push_back(infoOf(method.value(id)));
    }
    for (const et::program::Arena& arena : method.arenas) {
        info.arenas.push_back(arena.bytes);
    }
    for (const et::program::Delegate& delegate : method.delegates) {
        addOnce(info.backends, std::string(delegate.backend));
    }
    for (const et::program::Operator& each : method.operators) {
        addOnce(info.operators, each.fullName());
    }
    for (const et::program::Chain& chain : method.chains) {
        info.instructions += chain.instructions.size();
    }
    return info;
}

}  // namespace

Result<std::vector<std::string>> Module::method_names() {
    if (auto opened = load(); !opened) {
        return std::move(opened).error();
    }
    std::vector<std::string> names;
    for (const et::program::Method& method : impl->program->methods) {
        names.emplace_back(method.name);
    }
    return names;
}

Result<MethodInfo> Module::method_info(std::string_view method) {
    if (auto opened = load(); !opened) {
        return std::move(opened).error();
    }
    const et::program::Method* const found = impl->program->findMethod(method);
    if (found == nullptr) {
        return detail::failure(ErrorCode::NotFound, impl->program->file->name() + ": no method \"" +
                                                        et::core::printable(method) + "\"");
    }
    return infoOf(*found);
}

Result<MemoryInfo> Module::memory(std::string_view method) {
    const auto loaded = impl->load(method);
    if (!loaded) {
        return detail::errorOf(loaded.error());
    }
    const et::executor::MemoryReport report = (*loaded)->method->memory();
    MemoryInfo info{.constants = report.constants + report.copiedConstants,
                    .packed_weights = report.packedWeights,
                    .temporary_peak = report.temporaryPeak,
                    .other = report.workspace + report.unplannedIo + report.growing};
    for (const std::uint64_t bytes : report.arenas) {
        info.planned += bytes;
    }
    return info;
}

}  // namespace et_inspect
