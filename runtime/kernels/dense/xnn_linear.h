#pragma once

#include "runtime/kernels/dense/xnn_operator.h"

#include <cstddef>

namespace et::kernels::dense {

/// A right matrix for float rows, packed by XNNPACK; kept between runs if constant.
class XnnLinear : public KernelState {
  public:
    struct Weight {
        const float* elements = nullptr;  ///< row-major
        std::size_t inputs = 0;           ///< both at least 1
        std::size_t outputs = 0;
        bool isTransposed = false;    ///< [outputs, inputs], as in aten::linear; otherwise [inputs, outputs]
        const float* bias = nullptr;  ///< [outputs]; may be null

        bool operator==(const Weight&) const = default;
    };

    /// Errors: Unsupported, Limit.
    [[nodiscard]] static core::Result<std::unique_ptr<XnnLinear>> make(KernelContext& context,
                                                                       const Weight& weight);

    /// Elements are not compared: a constant at the same address is the same.
    [[nodiscard]] bool isMadeOf(const Weight& weight) const { return madeOf == weight; }

    /// Without padding, which XNNPACK does not report.
    [[nodiscard]] std::uint64_t bytes() const override {
        return madeOf.inputs * madeOf.outputs * sizeof(float);
    }

    /// Multiplies `rows` rows (at least 1) of `inputs` elements into rows of `outputs`. Errors: Unsupported,
    /// Limit.
    [[nodiscard]] core::Result<> run(KernelContext& context, std::size_t rows, const float* input,
                                     float* output);

  private:
    Weight madeOf;
    XnnOperator operation;
    std::size_t shapedFor = 0;  ///< rows
};

}  // namespace et::kernels::dense
