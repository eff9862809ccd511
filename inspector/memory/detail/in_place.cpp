#include "inspector/memory/detail/in_place.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace et::inspector::memory::detail {
namespace {

using program::KernelCall;
using program::Method;
using program::TensorInfo;
using program::ValueId;

/// An operator that computes each element of its result from the elements at the same index in its first
/// `inputs` arguments.
struct ByElement {
    std::string_view name;
    std::size_t inputs = 1;
};

constexpr std::array byElement{ByElement{"aten::abs.out"},         ByElement{"aten::acos.out"},
                               ByElement{"aten::acosh.out"},       ByElement{"aten::add.Scalar_out"},
                               ByElement{"aten::add.out", 2},      ByElement{"aten::asin.out"},
                               ByElement{"aten::asinh.out"},       ByElement{"aten::atan.out"},
                               ByElement{"aten::atan2.out", 2},    ByElement{"aten::atanh.out"},
                               ByElement{"aten::bitwise_not.out"}, ByElement{"aten::ceil.out"},
                               ByElement{"aten::clamp.out"},       ByElement{"aten::cos.out"},
                               ByElement{"aten::cosh.out"},        ByElement{"aten::div.Scalar_out"},
                               ByElement{"aten::div.out", 2},      ByElement{"aten::elu.out"},
                               ByElement{"aten::erf.out"},         ByElement{"aten::exp.out"},
                               ByElement{"aten::expm1.out"},       ByElement{"aten::floor.out"},
                               ByElement{"aten::gelu.out"},        ByElement{"aten::hardtanh.out"},
                               ByElement{"aten::leaky_relu.out"},  ByElement{"aten::log.out"},
                               ByElement{"aten::log10.out"},       ByElement{"aten::log1p.out"},
                               ByElement{"aten::log2.out"},        ByElement{"aten::logical_not.out"},
                               ByElement{"aten::maximum.out", 2},  ByElement{"aten::minimum.out", 2},
                               ByElement{"aten::mul.Scalar_out"},  ByElement{"aten::mul.out", 2},
                               ByElement{"aten::neg.out"},         ByElement{"aten::pow.Tensor_Scalar_out"},
                               ByElement{"aten::reciprocal.out"},  ByElement{"aten::relu.out"},
                               ByElement{"aten::round.out"},       ByElement{"aten::rsqrt.out"},
                               ByElement{"aten::sigmoid.out"},     ByElement{"aten::sign.out"},
                               ByElement{"aten::sin.out"},         ByElement{"aten::sinh.out"},
                               ByElement{"aten::sqrt.out"},        ByElement{"aten::sub.Scalar_out"},
                               ByElement{"aten::sub.out", 2},      ByElement{"aten::tan.out"},
                               ByElement{"aten::tanh.out"},        ByElement{"aten::trunc.out"}};

bool haveOneLayout(const TensorInfo& left, const TensorInfo& right) {
    const auto isFixed = [](const TensorInfo& tensor) {
        return tensor.dynamism == program::ShapeDynamism::Static && tensor.layout == 0 &&
               tensor.initialData == program::InitialData::None;
    };
    return isFixed(left) && isFixed(right) && left.scalarType == right.scalarType &&
           left.sizes == right.sizes && left.dimOrder == right.dimOrder;
}

/// Finds in-place chances in the kernel calls of a method.
class ChanceFinder {
  public:
    ChanceFinder(const Method& of, const std::vector<PlannedTensor>& planned) : method(of), tensors(planned) {
        for (const program::Operator& op : method.operators) {
            const auto* const known = std::ranges::find(byElement, op.fullName(), &ByElement::name);
            inputs.push_back(known == byElement.end() ? 0 : known->inputs);
        }
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            places.emplace(tensors[i].value.value, i);
            for (const ValueId alias : tensors[i].aliases) {
                places.emplace(alias.value, i);
            }
        }
    }

    std::vector<InPlaceCandidate> find() {
        Step step = 0;
        for (const program::Chain& chain : method.chains) {
            for (const program::Instruction& instruction : chain.instructions) {
                if (const auto* const call = std::get_if<KernelCall>(&instruction)) {
                    look(*call, step);
                }
                ++step;
            }
        }
        return std::move(chances);
    }

  private:
    void look(const KernelCall& call, Step step) {
        const std::size_t count = inputs[call.op.value];
        if (count == 0 || call.args.size() <= count) {
            return;
        }
        const auto taker = wholeTensor(call.args.back());
        if (!taker || tensors[*taker].firstStep != step) {
            return;
        }
        for (const ValueId input : std::span(call.args).first(count)) {
            const auto giver = wholeTensor(input);
            if (giver && gives(*giver, *taker, step) &&
                haveOneLayout(*tensorOf(input), *tensorOf(call.args.back()))) {
                chances.push_back({.giver = *giver, .taker = *taker});
            }
        }
    }

    [[nodiscard]] bool gives(std::size_t giver, std::size_t taker, Step step) const {
        const PlannedTensor& from = tensors[giver];
        const PlannedTensor& to = tensors[taker];
        const bool isKept = to.kind == TensorKind::Intermediate || to.kind == TensorKind::Output;
        return giver != taker && from.kind == TensorKind::Intermediate && isKept && from.lastStep == step &&
               from.firstStep < step && from.arena == to.arena && from.bytes == to.bytes;
    }

    [[nodiscard]] const TensorInfo* tensorOf(ValueId id) const { return method.value(id).as<TensorInfo>(); }

    /// Index of the planned tensor that the value covers entirely.
    [[nodiscard]] std::optional<std::size_t> wholeTensor(ValueId id) const {
        const auto found = places.find(id.value);
        const TensorInfo* const info = tensorOf(id);
        if (found == places.end() || info == nullptr || !info->allocation) {
            return std::nullopt;
        }
        const PlannedTensor& tensor = tensors[found->second];
        const bool isWhole = info->allocation->arena == tensor.arena &&
                             info->allocation->offset == tensor.offset &&
                             static_cast<std::uint64_t>(info->byteSize.value_or(0)) == tensor.bytes;
        return isWhole && tensor.bytes > 0 ? std::optional(found->second) : std::nullopt;
    }

    const Method& method;
    const std::vector<PlannedTensor>& tensors;
    std::vector<std::size_t> inputs;  ///< operator -> number of its elementwise arguments; 0: none
    std::map<std::uint32_t, std::size_t> places;  ///< value -> planned tensor
    std::vector<InPlaceCandidate> chances;
};

}  // namespace

std::vector<InPlaceCandidate> inPlaceChances(const Method& method,
                                             const std::vector<PlannedTensor>& tensors) {
    return ChanceFinder(method, tensors).find();
}

void markHandedOn(std::vector<PlannedTensor>& tensors, const std::vector<InPlaceCandidate>& chances) {
    for (const InPlaceCandidate& each : chances) {
        if (tensors[each.giver].offset == tensors[each.taker].offset) {
            tensors[each.giver].isHandedOn = true;
        }
    }
}

}  // namespace et::inspector::memory::detail
