#pragma once

#include "backends/interpreted/graph_builder.h"
#include "backends/tosa/payload.h"
#include "etrecord/record_maker.h"
#include "runtime/core/element_types.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::tosa {

/// Dtype that carries a datatype in the exported graph: int4 is int8, int48 is int64. Errors: Unsupported.
[[nodiscard]] core::Result<core::ScalarType> carriedType(std::uint32_t datatype);

/// Makes the exported graph of a payload's only block, operator by operator.
class GraphMaker : public GraphBuilder {
  public:
    explicit GraphMaker(const Block& of) : block(of), tensors(of.tensors.size()) {}

    /// Inputs, operators and outputs. Errors: as recordOf().
    [[nodiscard]] core::Result<> addAll();

    /// The tensor at a position of an operator's inputs. Errors: Format (it is missing, or nothing wrote it).
    [[nodiscard]] core::Result<MadeTensor> input(const Operator& from, std::size_t index) const;
    /// Description of an input or output in the payload. Errors: Format (it is missing).
    [[nodiscard]] core::Result<const Tensor*> inputType(const Operator& of, std::size_t index) const;
    [[nodiscard]] core::Result<const Tensor*> outputType(const Operator& of) const;
    /// The numbers of a constant input. Errors: Unsupported (it is computed), Format.
    [[nodiscard]] core::Result<std::vector<std::int64_t>> integers(const Operator& of,
                                                                   std::size_t index) const;
    /// The only number of a constant input, 0 if the operator has no such input. Errors: as integers().
    [[nodiscard]] core::Result<std::int64_t> integer(const Operator& of, std::size_t index) const;

    /// A constant of int64 numbers; without sizes a vector.
    [[nodiscard]] MadeTensor constant(const std::vector<std::int64_t>& numbers,
                                      std::vector<std::int64_t> sizes = {});
    [[nodiscard]] MadeTensor pair(std::string_view target, const MadeTensor& left, const MadeTensor& right);
    /// The tensor with its dimensions in another order.
    [[nodiscard]] MadeTensor permuted(const MadeTensor& from, const std::vector<std::int64_t>& order);

    [[nodiscard]] std::map<std::string, etrecord::TensorToArchive, std::less<>> takeConstants() {
        return std::move(constants);
    }
    [[nodiscard]] std::vector<std::shared_ptr<const void>> takeOwners() { return std::move(owners); }

  private:
    core::Result<> addConstants(const Operator& each);
    core::Result<> addOperation(const Operator& each);
    core::Result<MadeTensor> convert(const Operator& each);
    core::Result<core::Bytes> elementsOf(const Tensor& tensor, core::ScalarType dtype);
    MadeTensor addBuffer(core::ScalarType dtype, std::vector<std::int64_t> sizes, core::Bytes elements);

    const Block& block;
    std::vector<std::optional<MadeTensor>> tensors;
    std::map<std::string, etrecord::TensorToArchive, std::less<>> constants;
    std::vector<std::shared_ptr<const void>> owners;
};

/// Converts an operator with one tensor as result. Errors: as GraphMaker::addAll().
using ConvertOperator = core::Result<MadeTensor> (*)(GraphMaker& maker, const Operator& from);
using Conversions = std::map<std::string_view, ConvertOperator>;
void addElementwise(Conversions& to);
void addIntegers(Conversions& to);
void addPools(Conversions& to);
void addProducts(Conversions& to);
void addShapes(Conversions& to);

inline const std::vector<std::int64_t> channelsFirst{0, 3, 1, 2};
inline const std::vector<std::int64_t> channelsLast{0, 2, 3, 1};

/// Smallest and largest number of a signed integer dtype.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> rangeOf(core::ScalarType dtype);
/// The int64 numbers, limited to the range of the dtype.
[[nodiscard]] MadeTensor saturated(GraphMaker& maker, const MadeTensor& x, core::ScalarType to);

/// Multipliers and shifts for RESCALE of int64 numbers. `sizes` are those of both; empty: vectors.
struct Scales {
    std::vector<std::int64_t> multipliers;
    std::vector<std::int64_t> shifts;
    bool isDoubleRounded = false;
    std::vector<std::int64_t> sizes{};
};
/// x * multiplier / 2^shift, rounded. Errors: Format (a shift out of range).
[[nodiscard]] core::Result<MadeTensor> scaled(GraphMaker& maker, const MadeTensor& x, const Scales& by);

/// A number, or 0 if the field is omitted.
[[nodiscard]] std::int64_t numberField(const Operator& of, std::string_view name);
/// Errors: Format (another number of numbers).
[[nodiscard]] core::Result<std::vector<std::int64_t>> numbersField(const Operator& of, std::string_view name,
                                                                   std::size_t count);
/// Dtype of the operator's result in the exported graph. Errors: Unsupported.
[[nodiscard]] core::Result<core::ScalarType> resultType(const GraphMaker& maker, const Operator& from);

}  // namespace et::backends::tosa
