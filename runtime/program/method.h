#pragma once

#include "runtime/program/instruction.h"
#include "runtime/program/segment.h"
#include "runtime/program/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::program {

/// An operator that a method calls: "aten::add" with overload "out".
struct Operator {
    std::string_view name;
    std::string_view overload;  ///< may be empty

    /// "aten::add.out", or "aten::add" without an overload.
    [[nodiscard]] std::string fullName() const;
};

/// A setting that the exporter passes to the delegate; its bytes are specific to the backend.
struct CompileSpec {
    std::string_view key;
    core::Bytes value;
};

/// A subgraph of a method that a backend runs.
struct Delegate {
    std::string_view backend;          ///< "XnnpackBackend"
    core::Bytes payload;               ///< output of the backend's compiler
    std::optional<SegmentId> segment;  ///< the segment that contains the payload; empty if it is inline
    std::vector<CompileSpec> compileSpecs;
};

/// Memory for the planned tensors of a method.
struct Arena {
    std::uint64_t bytes = 0;
    Device device;
};

/// An entry point of the program with everything needed to run it. All ids are in range.
struct Method {
    std::string_view name;
    std::string_view inputTree;   ///< pytree description of the Python arguments; may be empty
    std::string_view outputTree;  ///< pytree description of the Python result; may be empty
    std::vector<Value> values;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<Chain> chains;
    std::vector<Operator> operators;
    std::vector<Delegate> delegates;
    std::vector<Arena> arenas;  ///< by ArenaId; arena 0 is reserved and has no bytes in current files

    [[nodiscard]] const Value& value(ValueId id) const { return values[id.value]; }
    [[nodiscard]] const Operator& op(OperatorId id) const { return operators[id.value]; }
    [[nodiscard]] const Delegate& delegate(DelegateId id) const { return delegates[id.value]; }

    /// Total size of all arenas: the memory plan of the method.
    [[nodiscard]] std::uint64_t plannedBytes() const;
};

}  // namespace et::program
