#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Values inside a delegate, which its graph does not hand out.
namespace et::core {

/// A value that a tracer may ask for, by what makes it.
struct TapSite {
    std::string_view nodeKind;                   ///< as the delegate's format spells it: "XNNConv2d"
    std::uint32_t value = 0;                     ///< its id in the delegate
    std::optional<std::uint32_t> debugHandle{};  ///< of the node; nothing: lowering added the node
};

/// An output of the delegate that came out otherwise than without taps.
struct TapOutputChange {
    std::size_t argument = 0;    ///< of the delegate call
    std::uint64_t elements = 0;  ///< that differ in any bit
    std::uint64_t of = 0;
};

/// What handing out values did to one call of a delegate. It ran twice: as it is, and with taps.
struct TapReport {
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::uint64_t values = 0;             ///< handed out
    std::uint64_t operators = 0;          ///< that the delegate is, fused ones counted once
    std::uint64_t operatorsWithTaps = 0;  ///< more where taps keep the delegate from fusing some
    std::vector<std::string>
        changedOperators{};  ///< that the run with taps fused otherwise, as profile events name them
    std::vector<TapOutputChange> changedOutputs{};
    std::string failure{};  ///< why nothing was handed out; empty: it was
};

}  // namespace et::core
