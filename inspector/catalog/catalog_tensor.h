#pragma once

#include "runtime/core/strong_id.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Where a tensor comes from.
enum class TensorOrigin : std::uint8_t {
    Constant,        ///< of a program
    State,           ///< what a mutable tensor of a program holds at first
    DataFile,        ///< of a tensor data file
    DelegateWeight,  ///< inside of a delegate, in its payload or by name
    RecordWeight,    ///< a parameter, buffer or constant that an ETRecord keeps
    RecordSample,    ///< an input or output that an ETRecord keeps
    TestInput,       ///< of a case of a bundled program
    TestOutput,      ///< that a case expects
    Logged           ///< by the runtime, beside a trace
};

struct TensorOriginTraits {
    TensorOrigin origin;
    std::string_view name;  ///< stable: on the command line and in JSON
    bool isWeight;          ///< part of the model, not of a run
};
inline constexpr std::array tensorOrigins{
    TensorOriginTraits{TensorOrigin::Constant, "constant", true},
    TensorOriginTraits{TensorOrigin::State, "state", true},
    TensorOriginTraits{TensorOrigin::DataFile, "data", true},
    TensorOriginTraits{TensorOrigin::DelegateWeight, "delegate", true},
    TensorOriginTraits{TensorOrigin::RecordWeight, "record", true},
    TensorOriginTraits{TensorOrigin::RecordSample, "sample", false},
    TensorOriginTraits{TensorOrigin::TestInput, "input", false},
    TensorOriginTraits{TensorOrigin::TestOutput, "expected", false},
    TensorOriginTraits{TensorOrigin::Logged, "logged", false},
};
static_assert(tensorOrigins.back().origin == TensorOrigin::Logged);

[[nodiscard]] constexpr const TensorOriginTraits& traits(TensorOrigin origin) {
    return tensorOrigins[static_cast<std::size_t>(origin)];
}

/// One tensor of what is open. Texts are empty where nothing is known.
struct CatalogTensor {
    TensorOrigin origin = TensorOrigin::Constant;
    /// What people know it by: "features.0.weight", "case 0, input 1". A weight without a name has that of
    /// the record's only weight of its type that the same operators read, or else the module of its first
    /// reader and what that calls it: "features.0: weight".
    std::string name;
    std::string place;        ///< where it is: "forward: value 12", "forward: delegate 0, v3"
    std::string type;         ///< "float32 [32, 3, 3, 3]", "qcint8 [32, 3, 3, 3]"
    std::uint64_t bytes = 0;  ///< as it is stored
    std::string method{};     ///< whose it is; empty: all methods'
    std::string module{};     ///< of its first reader, or of what made it
    std::vector<core::InstructionId> instructions{};  ///< of the first chain that read (or made) it
    std::vector<core::DebugHandle> handles{};         ///< of what reads (or made) it
};

}  // namespace et::inspector
