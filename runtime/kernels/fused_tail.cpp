#include "runtime/kernels/fused_tail.h"

#include <algorithm>

namespace et::kernels {
namespace {

using core::Tensor;

bool isPlain(const Tensor& tensor) {
    return tensor.dtype() == core::ScalarType::Float && tensor.isContiguous() && !tensor.isConstant() &&
           tensor.numel() > 0;
}

}  // namespace

bool overlap(const Tensor& left, const Tensor& right) {
    const auto a = left.rawBytes();
    const auto b = right.rawBytes();
    return !a.empty() && !b.empty() && a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

core::Result<Tensor*> FusedTail::begin(KernelContext& context, Tensor& out,
                                       std::initializer_list<const Tensor*> read) {
    Tensor* const none = nullptr;
    count = 0;
    numRead = 0;
    result = &out;
    for (const Tensor* tensor : read) {
        readTensors[numRead++] = tensor;
    }
    if (!isPlain(out)) {
        return none;
    }
    for (const Call& call : followers) {
        const std::size_t before = count;
        if (auto done = call.kernel.call(context, call.arguments); !done) {
            // The temporary-memory limit is the same for one instruction as for several; other errors are
            // reported by the instruction's own kernel.
            return done.error().code == core::ErrorCode::Limit
                       ? core::Result<Tensor*>(std::unexpected(std::move(done).error()))
                       : none;
        }
        if (count != before + 1 || !isPlain(*result) || result->sizes() != out.sizes()) {
            return none;
        }
    }
    const auto isWrittenTo = [&](const Tensor* tensor) {
        return tensor != nullptr && overlap(*tensor, *result);
    };
    isGoing = std::none_of(readTensors.begin(), readTensors.begin() + static_cast<std::ptrdiff_t>(numRead),
                           isWrittenTo);
    return isGoing ? result : none;
}

void FusedTail::add(const ResultStep& step, Tensor& out, std::initializer_list<const Tensor*> read) {
    if (count == all.size() || numRead + read.size() > readTensors.size()) {
        return;  // begin() detects the missing step
    }
    for (const Tensor* tensor : read) {
        readTensors[numRead++] = tensor;
    }
    all[count++] = step;
    result = &out;
}

}  // namespace et::kernels
