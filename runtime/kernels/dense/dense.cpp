#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/dense/fused.h"
#include "runtime/kernels/dense/matrix_operators.h"
#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <numeric>

namespace et::kernels {
namespace dense {
namespace {

core::Result<> expectDims(std::string_view name, const Tensor& tensor, std::size_t dims) {
    if (tensor.dim() != dims) {
        return invalid(fmt::format("{}: expected {} dimensions, got {}", name, dims, tensor.dim()));
    }
    return {};
}

std::unexpected<core::Error> noProduct(const Tensor& left, const Tensor& right) {
    return invalid(fmt::format("a matrix of {} cannot be multiplied by one of {}",
                               core::sizesText(left.sizes()), core::sizesText(right.sizes())));
}

core::Result<MatrixOperation> mmOperation(const Tensor& left, const Tensor& right) {
    ET_TRY(expectDims("left matrix", left, 2));
    ET_TRY(expectDims("right matrix", right, 2));
    if (left.size(1) != right.size(0)) {
        return noProduct(left, right);
    }
    return MatrixOperation{
        .left = left, .right = right, .rows = left.size(0), .depth = left.size(1), .columns = right.size(1)};
}

core::Result<MatrixOperation> addmmOperation(const Tensor& self, const Tensor& left, const Tensor& right,
                                             const Scalar& beta, const Scalar& alpha) {
    ET_ASSIGN(MatrixOperation operation, mmOperation(left, right));
    const Sizes sizes{operation.rows, operation.columns};
    const auto broadcast = broadcastSizes(self.sizes(), sizes);
    if (!broadcast || !(*broadcast == sizes)) {
        return invalid(fmt::format("{} does not broadcast to the product's shape {}",
                                   core::sizesText(self.sizes()), core::sizesText(sizes)));
    }
    operation.addend = &self;
    operation.beta = beta;
    operation.alpha = alpha;
    return operation;
}

/// Checks the bias: one element per column or, for a matrix, any shape that broadcasts to the result. Errors:
/// InvalidArgument.
core::Result<> checkBias(const Tensor& bias, const Tensor& input, std::int64_t columns) {
    const Sizes sizes = input.dim() == 2 ? Sizes{input.size(0), columns} : Sizes{columns};
    const auto broadcast = broadcastSizes(bias.sizes(), sizes);
    return broadcast && *broadcast == sizes
               ? core::Result<>()
               : invalid(fmt::format("bias: expected [{}], got {}", columns, core::sizesText(bias.sizes())));
}

/// Errors: InvalidArgument. The number of rows always fits, because the product of the other sizes is not 0
/// then.
core::Result<MatrixOperation> linearOperation(const Tensor& input, const Tensor& weight, const Tensor* bias) {
    ET_TRY(expectDims("weight", weight, 2));
    if (input.dim() == 0 || input.sizes().back() != weight.size(1)) {
        return noProduct(input, weight);
    }
    if (bias != nullptr) {
        ET_TRY(checkBias(*bias, input, weight.size(0)));
    }
    MatrixOperation operation{.left = input,
                              .right = weight,
                              .depth = weight.size(1),
                              .columns = weight.size(0),
                              .rightIsTransposed = true,
                              .addend = bias};
    operation.rows = operation.depth == 0 ? 0 : input.numel() / operation.depth;
    return operation;
}

core::Result<> prepareMm(KernelContext& context, const Tensor& left, const Tensor& right, Tensor&) {
    const auto operation = mmOperation(left, right);
    return operation ? prepare(context, *operation) : core::Result<>();
}

core::Result<> bmmOut(KernelContext& context, const Tensor& left, const Tensor& right, Tensor& out) {
    ET_TRY(expectDims("left matrices", left, 3));
    ET_TRY(expectDims("right matrices", right, 3));
    if (left.size(0) != right.size(0) || left.size(2) != right.size(1)) {
        return noProduct(left, right);
    }
    ET_TRY(out.resize(Sizes{left.size(0), left.size(1), right.size(2)}));
    return compute(context,
                   {.left = left,
                    .right = right,
                    .batch = left.size(0),
                    .rows = left.size(1),
                    .depth = left.size(2),
                    .columns = right.size(2)},
                   out);
}

core::Result<> prepareAddmm(KernelContext& context, const Tensor& self, const Tensor& left,
                            const Tensor& right, Scalar beta, Scalar alpha, Tensor&) {
    const auto operation = addmmOperation(self, left, right, beta, alpha);
    return operation ? prepare(context, *operation) : core::Result<>();
}

}  // namespace

core::Result<> mmOut(KernelContext& context, const Tensor& left, const Tensor& right, Tensor& out) {
    ET_ASSIGN(const MatrixOperation operation, mmOperation(left, right));
    ET_TRY(out.resize(Sizes{operation.rows, operation.columns}));
    return compute(context, operation, out);
}

core::Result<> addmmOut(KernelContext& context, const Tensor& self, const Tensor& left, const Tensor& right,
                        Scalar beta, Scalar alpha, Tensor& out) {
    ET_ASSIGN(const MatrixOperation operation, addmmOperation(self, left, right, beta, alpha));
    ET_TRY(out.resize(Sizes{operation.rows, operation.columns}));
    return compute(context, operation, out);
}

core::Result<> linear(KernelContext& context, const Tensor& input, const Tensor& weight, const Tensor* bias,
                      Tensor& out) {
    ET_ASSIGN(MatrixOperation operation, linearOperation(input, weight, bias));
    Sizes sizes = input.sizes();
    sizes.back() = operation.columns;
    ET_TRY(out.resize(sizes));
    if (operation.depth == 0 && operation.columns > 0) {
        operation.rows = out.numel() / operation.columns;
    }
    return compute(context, operation, out);
}

core::Result<> prepareLinear(KernelContext& context, const Tensor& input, const Tensor& weight,
                             const Tensor* bias, Tensor&) {
    const auto operation = linearOperation(input, weight, bias);
    return operation ? prepare(context, *operation) : core::Result<>();
}

}  // namespace dense

std::span<const KernelEntry> denseKernels() {
    static constexpr std::array<KernelEntry, 4> entries{{
        {.name = "aten::mm.out",
         .kernel = box<&dense::mmOut>,
         .prepare = box<&dense::prepareMm>,
         .packed = 1U << 1U},
        {.name = "aten::bmm.out", .kernel = box<&dense::bmmOut>},
        {.name = "aten::addmm.out",
         .kernel = box<&dense::addmmOut>,
         .prepare = box<&dense::prepareAddmm>,
         .packed = 1U << 2U},
        {.name = "aten::linear.out",
         .kernel = box<&dense::linear>,
         .prepare = box<&dense::prepareLinear>,
         .packed = 1U << 1U},
    }};
    return entries;
}

}  // namespace et::kernels
