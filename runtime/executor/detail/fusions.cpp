#include "runtime/executor/detail/fusions.h"

#include "runtime/core/value.h"
#include "runtime/kernels/fused_tail.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace et::executor::detail {
namespace {

using core::Tensor;

/// Calls `visit` with a value, or with each item of a list.
template <class Visit>
void visitInside(core::Value& value, const Visit& visit) {
    const auto all = [&](const std::vector<core::Value*>& items) {
        std::ranges::for_each(items, [&](core::Value* item) {
            if (item != nullptr) {
                visit(*item);
            }
        });
    };
    if (const auto* const tensors = value.as<core::TensorListValue>()) {
        all(tensors->items);
    } else if (const auto* const numbers = value.as<core::IntListValue>()) {
        all(numbers->items);
    } else {
        visit(value);
    }
}

bool isWritten(const Step& step, std::size_t argument) {
    return step.kind == Step::Kind::Kernel && ((step.entry->kernel.written >> argument) & 1U) != 0;
}

/// Counts the uses of each value and detects values that are visible under another name.
class Uses {
  public:
    Uses(const program::Method& method, MethodValues& methodValues, const Steps& allSteps)
        : values(methodValues), steps(allSteps), of(methodValues.values.size()) {
        for (std::size_t at = 0; at < steps.all.size(); ++at) {
            note(at);
        }
        for (const auto& ids : {method.inputs, method.outputs}) {
            for (const program::ValueId id : ids) {
                of[id.value].steps += 2;  // somebody outside
            }
        }
        for (const program::ValueId id : method.inputs) {
            of[id.value].isWritten = true;
        }
        isSeen.assign(steps.all.size(), false);
        findSeen(method);
    }

    /// True if exactly two steps use the value: the one that writes it and one other.
    [[nodiscard]] bool isBetweenTwo(const core::Value& value) const { return of[indexOf(value)].steps == 2; }
    /// True if the result of the step is also read under another name.
    [[nodiscard]] bool isSeenOtherwise(std::size_t step) const { return isSeen[step]; }

  private:
    /// A step's write and its memory range.
    struct Write {
        std::size_t step = 0;
        std::span<const std::byte> bytes;
    };
    struct Use {
        std::uint32_t steps = 0;
        std::uint32_t last = UINT32_MAX;
        bool isWritten = false;
    };

    [[nodiscard]] std::size_t indexOf(const core::Value& value) const {
        return static_cast<std::size_t>(&value - values.values.data());
    }

    void note(std::size_t at) {
        const Step& step = steps.all[at];
        const auto number = static_cast<std::uint32_t>(at);
        for (std::size_t i = 0; i < step.arguments.size(); ++i) {
            const bool writes = i < 64 && isWritten(step, i);
            visitInside(*step.arguments[i], [&](core::Value& value) {
                Use& use = of[indexOf(value)];
                use.steps += use.last == number ? 0 : 1;
                use.last = number;
                use.isWritten = use.isWritten || writes;
            });
        }
    }

    /// A tensor that no step writes shows what other steps wrote to its memory: a view resolved by the
    /// exporter.
    void findSeen(const program::Method& method) {
        std::vector<bool> isViewAt(of.size(), false);
        bool hasViews = false;
        for (std::size_t i = 0; i < of.size(); ++i) {
            const auto* const info = method.values[i].as<program::TensorInfo>();
            isViewAt[i] = info != nullptr && of[i].steps > 0 && !of[i].isWritten && info->allocation &&
                          info->initialData == program::InitialData::None;
            hasViews = hasViews || isViewAt[i];
        }
        if (!hasViews) {
            return;
        }
        const auto isView = [&](const core::Value& value) { return isViewAt[indexOf(value)]; };
        for (std::size_t at = 0; at < steps.all.size(); ++at) {
            for (core::Value* const argument : steps.all[at].arguments) {
                visitInside(*argument, [&](core::Value& value) {
                    if (isView(value)) {
                        see(value, at);
                    }
                });
            }
        }
        for (const program::ValueId id : method.outputs) {
            visitInside(values.at(id), [&](core::Value& value) {
                if (isView(value)) {
                    see(value, steps.all.size());
                }
            });
        }
    }

    void findWrites() {
        allWrites.reserve(steps.all.size());
        for (std::size_t at = 0; at < steps.all.size(); ++at) {
            const Step& step = steps.all[at];
            for (std::size_t i = 0; i < std::min<std::size_t>(step.arguments.size(), 64); ++i) {
                const auto* const written = isWritten(step, i) ? step.arguments[i]->as<Tensor>() : nullptr;
                if (written != nullptr && !written->rawBytes().empty()) {
                    allWrites.push_back({.step = at, .bytes = written->rawBytes()});
                }
            }
        }
    }

    /// Marks the last steps before `end` that wrote to the memory of `view`.
    void see(const core::Value& view, std::size_t end) {
        if (allWrites.empty()) {
            findWrites();  // most programs have no such views
        }
        const auto* const tensor = view.as<Tensor>();
        const std::span<const std::byte> part =
            tensor == nullptr ? std::span<std::byte>() : tensor->rawBytes();
        const auto last = std::ranges::lower_bound(allWrites, end, {}, &Write::step);
        for (auto write = last; !part.empty() && write != allWrites.begin();) {
            const std::span<const std::byte> whole = (--write)->bytes;
            const std::byte* const wholeEnd = whole.data() + whole.size();
            const std::byte* const partEnd = part.data() + part.size();
            if (whole.data() >= partEnd || part.data() >= wholeEnd) {
                continue;
            }
            isSeen[write->step] = true;
            if (whole.data() <= part.data() && partEnd <= wholeEnd) {
                return;
            }
        }
    }

    MethodValues& values;
    const Steps& steps;
    std::vector<Use> of;
    std::vector<Write> allWrites;  ///< in step order
    std::vector<bool> isSeen;      ///< by step
};

class FusionFinder {
  public:
    FusionFinder(const program::Method& from, MethodValues& methodValues, Steps& allSteps)
        : method(from), values(methodValues), steps(allSteps) {}

    void findAll() {
        for (std::size_t at = 0; at < steps.all.size();) {
            at += find(at);
        }
    }

  private:
    /// Returns the number of steps consumed.
    std::size_t find(std::size_t at) {
        Step& first = steps.all[at];
        const kernels::Fusion* const fusion =
            first.kind == Step::Kind::Kernel ? kernels::findFusion(*first.entry) : nullptr;
        if (fusion == nullptr) {
            return 1;
        }
        FusedSteps fused{.fusion = fusion};
        while (fused.count <= fusion->maxBehind && at + fused.count < steps.all.size() &&
               extend(fused, at, at + fused.count)) {
            ++fused.count;
        }
        while (fused.count > 1 && writesOverInputs(at, fused.count)) {
            --fused.count;
        }
        if (fused.count == 1) {
            return 1;
        }
        const std::size_t count = fused.count;
        first.fused = std::make_unique<FusedSteps>(fused);
        return count;
    }

    /// True if step `next` is the only reader of the previous step's result.
    bool extend(FusedSteps& fused, std::size_t first, std::size_t next) {
        const Step& step = steps.all[next];
        const Step& before = steps.all[next - 1];
        const kernels::FusedOperator* const found =
            step.kind == Step::Kind::Kernel && step.chain == before.chain
                ? kernels::behindIn(*fused.fusion, *step.entry)
                : nullptr;
        core::Value* const result = resultOf(before);
        if (found == nullptr || result == nullptr || found->input >= step.arguments.size() ||
            step.arguments[found->input] != result || std::ranges::count(step.arguments, result) != 1 ||
            !isPlain(*result) || !isPlain(*resultOf(step))) {
            return false;
        }
        if (!uses) {
            uses.emplace(method, values, steps);
        }
        if (!uses->isBetweenTwo(*result) || uses->isSeenOtherwise(next - 1)) {
            return false;
        }
        fused.behind[next - first - 1] = {
            .kernel = found->kernel, .arguments = step.arguments, .input = found->input};
        return true;
    }

    /// Returns the first tensor that a kernel writes; null if there is none.
    static core::Value* resultOf(const Step& step) {
        const auto first = static_cast<std::size_t>(std::countr_zero(step.entry->kernel.written));
        return first < step.arguments.size() ? step.arguments[first] : nullptr;
    }

    static bool isPlain(const core::Value& value) {
        const auto* const tensor = value.as<Tensor>();
        return tensor != nullptr && !tensor->isConstant() && tensor->isContiguous() &&
               tensor->resizable() != Tensor::Shape::Growing;
    }

    [[nodiscard]] bool writesOverInputs(std::size_t at, std::size_t count) const {
        const Tensor& result = *resultOf(steps.all[at + count - 1])->as<Tensor>();
        for (std::size_t i = at; i < at + count; ++i) {
            const Step& step = steps.all[i];
            const core::Value* const before = i == at ? nullptr : resultOf(steps.all[i - 1]);
            for (std::size_t j = 0; j < step.entry->kernel.arguments && j < step.arguments.size(); ++j) {
                const auto* const tensor = step.arguments[j]->as<Tensor>();
                if (tensor != nullptr && !isWritten(step, j) && step.arguments[j] != before &&
                    kernels::overlap(*tensor, result)) {
                    return true;
                }
            }
        }
        return false;
    }

    const program::Method& method;
    MethodValues& values;
    Steps& steps;
    std::optional<Uses> uses;  ///< created when the first candidate is found
};

}  // namespace

void findFusions(const program::Method& method, MethodValues& values, Steps& steps) {
    const bool isStraight = std::ranges::all_of(steps.all, [](const Step& step) {
        return step.kind != Step::Kind::JumpFalse && step.kind != Step::Kind::Move;
    });
    if (isStraight) {
        FusionFinder(method, values, steps).findAll();
    }
}

}  // namespace et::executor::detail
