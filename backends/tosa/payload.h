#pragma once

#include "backends/tosa/operators.h"
#include "runtime/core/mapped_file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// A TOSA graph in memory, which borrows texts and data from the payload.
namespace et::backends::tosa {

/// Index into Block::tensors.
using TensorIndex = std::uint32_t;

/// A tensor, or a list of sizes ("shape").
struct Tensor {
    std::string_view name;
    std::vector<std::int64_t> sizes;
    std::uint32_t datatype = 0;
    core::Bytes data;  ///< of a constant, or the first value of a variable
    bool isVariable = false;
    bool isUnranked = false;
    std::string_view variableName;
};

/// A field of an operator; empty: omitted, which means 0.
using Field =
    std::variant<std::monostate, std::int64_t, std::vector<std::int64_t>, core::Bytes, std::string_view>;

struct Operator {
    std::uint32_t number = 0;
    const OperatorInfo* info = nullptr;  ///< null for an unknown number
    std::vector<Field> fields;           ///< as OperatorInfo::fields
    std::vector<TensorIndex> inputs;
    std::vector<TensorIndex> outputs;
    std::string_view location;  ///< debug information in JSON; may be empty

    /// CONST or CONST_SHAPE, whose value is the data of its output.
    [[nodiscard]] bool isConstant() const {
        return info != nullptr && (info->name == "CONST" || info->name == "CONST_SHAPE");
    }
};

struct Block {
    std::string_view region;
    std::string_view name;
    std::vector<Tensor> tensors;  ///< shapes last
    std::vector<Operator> operators;
    std::vector<TensorIndex> inputs;
    std::vector<TensorIndex> outputs;
};

struct Payload {
    std::string version;        ///< "1.0.0", "1.1.0 draft"
    std::vector<Block> blocks;  ///< of all regions; at least one, the first is the delegate
};

}  // namespace et::backends::tosa
