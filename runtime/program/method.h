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

/// A setting that the exporter hands to the delegate; what the bytes mean is the backend's matter.
struct CompileSpec {
    std::string_view key;
    core::Bytes value;
};

/// A part of a method that a backend runs.
struct Delegate {
    std::string_view backend;          ///< "XnnpackBackend"
    core::Bytes payload;               ///< what the backend's compiler wrote
    std::optional<SegmentId> segment;  ///< the segment that is the payload; nothing when it is inline
    std::vector<CompileSpec> compileSpecs;
};

/// Memory that a method needs for its planned tensors.
struct Arena {
    std::uint64_t bytes = 0;
    Device device;
};

/// An entry point of the program with everything that it needs to run. All ids inside are in range.
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
    std::vector<Arena> arenas;  ///< by ArenaId; arena 0 is reserved and has no bytes in files of today

    [[nodiscard]] const Value& value(ValueId id) const { return values[id.value]; }
    [[nodiscard]] const Operator& op(OperatorId id) const { return operators[id.value]; }
    [[nodiscard]] const Delegate& delegate(DelegateId id) const { return delegates[id.value]; }

    /// Sum of all arenas: the memory plan of the method.
    [[nodiscard]] std::uint64_t plannedBytes() const;
};

}  // namespace et::program
