#pragma once

#include "runtime/kernels/dense/xnn_operator.h"

#include <cstddef>

namespace et::kernels::dense {

/// A matrix that float rows are multiplied with, packed by XNNPACK; kept where it is a constant.
class XnnLinear : public KernelState {
  public:
    struct Weight {
        const float* elements = nullptr;  ///< row-major
        std::size_t inputs = 0;           ///< both at least 1
        std::size_t outputs = 0;
        bool isTransposed = false;    ///< [outputs, inputs], as of aten::linear; else [inputs, outputs]
        const float* bias = nullptr;  ///< [outputs]; null: none

        bool operator==(const Weight&) const = default;
    };

    /// Errors: Unsupported, Limit.
    [[nodiscard]] static core::Result<std::unique_ptr<XnnLinear>> make(KernelContext& context,
                                                                       const Weight& weight);

    /// The elements are not compared: a constant at the same place is the same.
    [[nodiscard]] bool isMadeOf(const Weight& weight) const { return madeOf == weight; }

    /// Without the padding, of which XNNPACK does not tell.
    [[nodiscard]] std::uint64_t bytes() const override {
        return madeOf.inputs * madeOf.outputs * sizeof(float);
    }

    /// `rows` rows (at least 1) of `inputs` elements to rows of `outputs`. Errors: Unsupported, Limit.
    [[nodiscard]] core::Result<> run(KernelContext& context, std::size_t rows, const float* input,
                                     float* output);

  private:
    Weight madeOf;
    XnnOperator operation;
    std::size_t shapedFor = 0;  ///< rows
};

}  // namespace et::kernels::dense
