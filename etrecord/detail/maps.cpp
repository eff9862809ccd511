#include "etrecord/detail/maps.h"

#include "etrecord/detail/layout.h"
#include "runtime/archive/json.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace et::etrecord::detail {
namespace {

using core::DebugHandle;
using core::InstructionId;
using core::Result;

std::optional<InstructionId> instructionFromKey(std::string_view key) {
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), value);
    const bool whole = error == std::errc{} && end == key.data() + key.size();
    return whole ? std::optional(InstructionId(value)) : std::nullopt;
}

/// A number or a list of them.
Result<HandleEntry> readHandles(const archive::JsonValue& json) {
    HandleEntry entry{.handles = {}, .list = json.isArray()};
    if (!entry.list) {
        ET_ASSIGN(const std::int64_t handle, json.integer());
        entry.handles.emplace_back(handle);
        return entry;
    }
    ET_TRY(json.forEach([&](const archive::JsonValue& each) -> Result<> {
        ET_ASSIGN(const std::int64_t handle, each.integer());
        entry.handles.emplace_back(handle);
        return {};
    }));
    return entry;
}

/// {"name": "XnnpackBackend", "delegate_map": {identifier: handles}}; either may be null.
Result<DelegateEntry> readDelegate(const archive::JsonValue& json) {
    DelegateEntry entry;
    if (!json.isObject()) {
        return json.unexpected("an object");
    }
    if (const auto name = json.find("name")) {
        ET_ASSIGN(entry.backend, name->string());
    }
    const auto identifiers = json.find("delegate_map");
    if (!identifiers) {
        return entry;
    }
    ET_TRY(identifiers->forEachMember(
        [&](std::string_view identifier, const archive::JsonValue& handles) -> Result<> {
            ET_ASSIGN(HandleEntry mapped, readHandles(handles));
            entry.identifiers.emplace_back(identifier, std::move(mapped.handles));
            return {};
        }));
    return entry;
}

/// Calls `read(instruction, json)` for each instruction of an object.
template <class Read>
Result<> readInstructions(const archive::JsonValue& json, Read&& read) {
    return json.forEachMember([&](std::string_view key, const archive::JsonValue& value) -> Result<> {
        const auto instruction = instructionFromKey(key);
        if (!instruction) {
            return value.unexpected("a member named after an instruction index");
        }
        return read(*instruction, value);
    });
}

/// True if all members of an object are named by instructions, that is, the level of methods is missing.
bool isFlat(const archive::JsonValue& root) {
    bool flat = true;
    bool empty = true;
    const auto visited = root.forEachMember([&](std::string_view key, const archive::JsonValue&) -> Result<> {
        flat = flat && instructionFromKey(key).has_value();
        empty = false;
        return {};
    });
    return visited.has_value() && flat && !empty;
}

/// Calls `read(maps, instruction, json)` for each instruction of each method. Returns false if the file
/// contains null.
template <class Read>
Result<bool> readMethods(core::Bytes json, std::string_view entry, MapsByMethod& maps, Read&& read) {
    ET_ASSIGN(const archive::JsonDocument document, archive::JsonDocument::parse(json, entry));
    const archive::JsonValue root = document.root();
    if (root.isNull()) {
        return false;
    }
    const auto readMethod = [&](std::string_view method, const archive::JsonValue& instructions) -> Result<> {
        MethodMaps& target = maps[std::string(method)];
        if (instructions.isNull()) {
            return {};
        }
        return readInstructions(instructions,
                                [&](InstructionId instruction, const archive::JsonValue& value) {
                                    return read(target, instruction, value);
                                });
    };
    ET_TRY(isFlat(root) ? readMethod(onlyMethod, root) : root.forEachMember(readMethod));
    return true;
}

/// Serializes one of the maps as {method: {instruction: …}}.
template <class Map, class Write>
std::string serializeMethods(const MapsByMethod& maps, Map MethodMaps::* map, Write&& write) {
    core::JsonWriter out(core::NonFinite::Python);
    out.beginObject();
    for (const auto& [method, all] : maps) {
        out.key(method);
        out.beginObject();
        for (const auto& [instruction, value] : all.*map) {
            out.key(std::to_string(instruction.value));
            write(out, value);
        }
        out.endObject();
    }
    out.endObject();
    return out.take();
}

void writeHandleList(core::JsonWriter& out, const std::vector<DebugHandle>& handles) {
    out.beginArray();
    std::ranges::for_each(handles, [&](DebugHandle handle) { out.integer(handle.value); });
    out.endArray();
}

}  // namespace

Result<bool> readDebugHandleMap(core::Bytes json, std::string_view entry, MapsByMethod& maps) {
    return readMethods(
        json, entry, maps,
        [](MethodMaps& target, InstructionId instruction, const archive::JsonValue& value) -> Result<> {
            ET_ASSIGN(target.debugHandles[instruction], readHandles(value));
            return {};
        });
}

Result<bool> readDelegateMap(core::Bytes json, std::string_view entry, MapsByMethod& maps) {
    return readMethods(
        json, entry, maps,
        [](MethodMaps& target, InstructionId instruction, const archive::JsonValue& value) -> Result<> {
            ET_ASSIGN(target.delegates[instruction], readDelegate(value));
            return {};
        });
}

Result<bool> readOutputCountMap(core::Bytes json, std::string_view entry, MapsByMethod& maps) {
    return readMethods(
        json, entry, maps,
        [](MethodMaps& target, InstructionId instruction, const archive::JsonValue& value) -> Result<> {
            ET_ASSIGN(target.outputCounts[instruction], value.integer());
            return {};
        });
}

std::string serializeDebugHandleMap(const MapsByMethod& maps) {
    return serializeMethods(maps, &MethodMaps::debugHandles,
                            [](core::JsonWriter& out, const HandleEntry& entry) {
                                if (entry.list || entry.handles.size() != 1) {
                                    writeHandleList(out, entry.handles);
                                } else {
                                    out.integer(entry.handles.front().value);
                                }
                            });
}

std::string serializeDelegateMap(const MapsByMethod& maps) {
    return serializeMethods(maps, &MethodMaps::delegates,
                            [](core::JsonWriter& out, const DelegateEntry& entry) {
                                out.beginObject();
                                out.member("name", [&] { out.string(entry.backend); });
                                out.key("delegate_map");
                                out.beginObject();
                                for (const auto& [identifier, handles] : entry.identifiers) {
                                    out.member(identifier, [&] { writeHandleList(out, handles); });
                                }
                                out.endObject();
                                out.endObject();
                            });
}

std::string serializeOutputCountMap(const MapsByMethod& maps) {
    return serializeMethods(maps, &MethodMaps::outputCounts,
                            [](core::JsonWriter& out, std::int64_t count) { out.integer(count); });
}

}  // namespace et::etrecord::detail
