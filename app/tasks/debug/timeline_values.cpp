#include "app/tasks/debug/command_text.h"
#include "app/tasks/debug/detail/timeline_impl.h"
#include "app/tasks/debug/timeline.h"

#include <fmt/format.h>

#include <algorithm>

// Values at a point of a timeline.
namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

std::string nameOf(const program::Method& method, program::ValueId id) {
    const auto* const info = method.value(id).as<program::TensorInfo>();
    if (const auto input = std::ranges::find(method.inputs, id); input != method.inputs.end()) {
        return fmt::format("input {}", input - method.inputs.begin());
    }
    if (info != nullptr && !info->name.empty()) {
        return core::printable(info->name);
    }
    if (const auto output = std::ranges::find(method.outputs, id); output != method.outputs.end()) {
        return fmt::format("output {}", output - method.outputs.begin());
    }
    return fmt::format("v{}", id.value);
}

/// "v12" or "12".
std::optional<program::ValueId> parseId(std::string_view name) {
    return parseNumber<std::uint32_t>(name.starts_with('v') ? name.substr(1) : name)
        .transform([](std::uint32_t id) { return program::ValueId(id); });
}

}  // namespace

std::optional<ArenaRange> arenaRange(const executor::Method& method, const core::Value& value) {
    const auto* const tensor = value.as<core::Tensor>();
    if (tensor == nullptr || tensor->raw() == nullptr) {
        return std::nullopt;
    }
    const auto arenas = method.plannedMemory();
    for (std::size_t i = 0; i < arenas.size(); ++i) {
        if (tensor->raw() >= arenas[i].data() && tensor->raw() < arenas[i].data() + arenas[i].size()) {
            const auto begin = static_cast<std::uint64_t>(tensor->raw() - arenas[i].data());
            return ArenaRange{.arena = i, .begin = begin, .end = begin + tensor->bytes()};
        }
    }
    return std::nullopt;
}

core::Bytes Timeline::arena(std::size_t id) const {
    const auto arenas = impl->isInside ? impl->method()->plannedMemory() : std::span<const core::Bytes>();
    return id < arenas.size() ? arenas[id] : core::Bytes();
}

Result<DebugValue> Timeline::value(program::ValueId id) {
    const program::Method& method = impl->method()->description();
    if (!impl->isInside || id.value >= method.values.size()) {
        return fail(ErrorCode::NotFound, impl->isInside
                                             ? fmt::format("no value {}; {} has {}", id.value,
                                                           core::printable(method.name), method.values.size())
                                             : "nothing has been executed");
    }
    core::Value& value = impl->method()->value(id);
    const auto* const info = method.value(id).as<program::TensorInfo>();
    const auto* const tensor = value.as<core::Tensor>();
    return DebugValue{
        .id = id,
        .name = nameOf(method, id),
        .value = &value,
        .memory = arenaRange(*impl->method(), value),
        .isConstant = tensor != nullptr && tensor->isConstant(),
        .isState = info != nullptr && info->allocation && info->initialData != program::InitialData::None};
}

std::vector<DebugValue> Timeline::values() {
    std::vector<DebugValue> all;
    const std::size_t count = impl->isInside ? impl->method()->description().values.size() : 0;
    for (std::uint32_t id = 0; id < count; ++id) {
        all.push_back(*value(program::ValueId(id)));
    }
    return all;
}

Result<DebugValue> Timeline::value(std::string_view name) {
    const program::Method& method = impl->method()->description();
    const std::size_t count = impl->isInside ? method.values.size() : 0;
    for (std::uint32_t id = 0; id < count; ++id) {
        if (nameOf(method, program::ValueId(id)) == name) {
            return value(program::ValueId(id));
        }
    }
    if (const auto id = parseId(name)) {
        return value(*id);
    }
    return fail(ErrorCode::NotFound, fmt::format("no value \"{}\"", core::printable(name)));
}

}  // namespace et::tasks
