#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace et::core {

/// An integer type distinct from other integers. `Tag` identifies the type, `Rep` stores the value.
template <class Tag, class Rep>
struct StrongId {
    using ValueType = Rep;
    Rep value{};

    constexpr StrongId() = default;
    constexpr explicit StrongId(Rep v) : value(v) {}
    constexpr auto operator<=>(const StrongId&) const = default;
};

/// Position of an instruction in its chain; -1 in files if there is none.
using InstructionId = StrongId<struct InstructionIdTag, std::int32_t>;

/// Identifier that links a runtime event, an Edge dialect node and a line of Python.
using DebugHandle = StrongId<struct DebugHandleTag, std::int64_t>;

}  // namespace et::core

template <class Tag, class Rep>
struct std::hash<et::core::StrongId<Tag, Rep>> {
    std::size_t operator()(et::core::StrongId<Tag, Rep> id) const noexcept {
        return std::hash<Rep>{}(id.value);
    }
};
