#include "tests/executor/test_operators.h"

#include "runtime/kernels/boxing.h"

#include <array>
#include <memory>
#include <vector>

namespace et::test {
namespace {

using core::Result;
using core::Tensor;
using core::Value;
using kernels::box;
using kernels::KernelContext;

Result<> plusOut(KernelContext&, const Tensor& a, const Tensor& b, std::int64_t factor, Tensor& out) {
    ET_TRY(out.resize(a.sizes()));
    for (std::int64_t i = 0; i < out.numel(); ++i) {
        out.mutableData<float>()[i] = a.data<float>()[i] + static_cast<float>(factor) * b.data<float>()[i];
    }
    return {};
}

Result<> twiceOut(KernelContext&, const Tensor& a, Tensor& out) {
    core::Sizes sizes = a.sizes();
    sizes[0] *= 2;
    ET_TRY(out.resize(sizes));
    for (std::int64_t i = 0; i < out.numel(); ++i) {
        out.mutableData<float>()[i] = a.data<float>()[i % a.numel()];
    }
    return {};
}

Result<> failOut(KernelContext&, const Tensor&, Tensor&) {
    return kernels::invalid("as told");
}

struct Packed final : kernels::KernelState {
    std::vector<float> weight;
    [[nodiscard]] std::uint64_t bytes() const override { return packedBytes; }
};

Result<> packedPrepare(KernelContext& context, const Tensor&, const Tensor& weight, Tensor&) {
    auto packed = std::make_unique<Packed>();
    packed->weight.assign(weight.data<float>(), weight.data<float>() + weight.numel());
    context.state() = std::move(packed);
    return {};
}

Result<> packedOut(KernelContext& context, const Tensor& a, const Tensor& weight, Tensor& out) {
    const auto* const packed = static_cast<const Packed*>(context.state().get());
    const float* const weights = packed == nullptr ? weight.data<float>() : packed->weight.data();
    ET_TRY(out.resize(a.sizes()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(weight.numel()); ++i) {
        out.mutableData<float>()[i] = a.data<float>()[i] + weights[i];
    }
    return {};
}

Result<> scratchOut(KernelContext& context, const Tensor&, std::int64_t bytes, Tensor&) {
    ET_ASSIGN(const auto memory, context.scratch<std::byte>(static_cast<std::size_t>(bytes)));
    memory.front() = std::byte{1};
    memory.back() = std::byte{1};
    return {};
}

Result<> less(KernelContext&, std::int64_t a, std::int64_t b, Value& result) {
    result.set(a < b);
    return {};
}

Result<> increment(KernelContext&, std::int64_t a, Value& result) {
    result.set(a + 1);
    return {};
}

constexpr std::array table{
    kernels::KernelEntry{"test::plus.out", box<&plusOut>},
    kernels::KernelEntry{"test::twice.out", box<&twiceOut>},
    kernels::KernelEntry{"test::fail.out", box<&failOut>},
    kernels::KernelEntry{.name = "test::packed.out",
                         .kernel = box<&packedOut>,
                         .prepare = box<&packedPrepare>,
                         .packed = 1U << 1U},
    kernels::KernelEntry{"test::scratch.out", box<&scratchOut>},
    kernels::KernelEntry{"test::less", box<&less>},
    kernels::KernelEntry{"test::increment", box<&increment>},
};

}  // namespace

const kernels::KernelRegistry& testOperators() {
    static const kernels::KernelRegistry registry = [] {
        kernels::KernelRegistry made;
        made.add(table);
        return made;
    }();
    return registry;
}

}  // namespace et::test
