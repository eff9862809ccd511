#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Values inside a delegate that are not outputs of it.
namespace et::core {

/// A value available to tracers, identified by the node that computes it.
struct TapSite {
    std::string_view nodeKind;                   ///< as in the delegate's format: "XNNConv2d"
    std::uint32_t value = 0;                     ///< id inside the delegate
    std::optional<std::uint32_t> debugHandle{};  ///< of the node; nothing: added by lowering
};

/// An output of the delegate that differs from the run without taps.
struct TapOutputChange {
    std::size_t argument = 0;    ///< index in the delegate call
    std::uint64_t elements = 0;  ///< number of elements that differ in any bit
    std::uint64_t of = 0;
};

/// Effect of taps on a delegate call, which runs twice: unchanged, and with taps.
struct TapReport {
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::uint64_t values = 0;             ///< handed out
    std::uint64_t operators = 0;          ///< number of operators in the delegate; fused ones count once
    std::uint64_t operatorsWithTaps = 0;  ///< larger if taps prevent fusion
    std::vector<std::string>
        changedOperators{};  ///< operators fused differently in the run with taps, named as in profile events
    std::vector<TapOutputChange> changedOutputs{};
    std::string failure{};  ///< why no values were traced; empty on success
};

}  // namespace et::core
