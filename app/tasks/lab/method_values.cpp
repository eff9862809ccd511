#include "app/tasks/lab/method_values.h"

#include "inspector/memory/memory_timeline.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace et::tasks {

using core::Result;
using inspector::MemoryTimeline;
using inspector::PlannedTensor;
using inspector::TensorKind;
using program::ValueId;

namespace {

class ValueWalk {
  public:
    explicit ValueWalk(const program::Method& of) : method(of) {
        const std::size_t count = method.values.size();
        out.writers.resize(count);
        out.computed.resize(count);
        out.pinned.resize(count);
        out.isInput.resize(count);
        out.isOutput.resize(count);
        firstRead.assign(count, method.chains.front().instructions.size());
    }

    Result<MethodValues> run() {
        mark(method.inputs, out.isInput);
        mark(method.outputs, out.isOutput);
        ET_TRY(readAccesses());
        for (std::size_t i = 0; i < out.writers.size(); ++i) {
            out.computed[i] = !out.writers[i].empty();
            out.pinned[i] = out.writers[i].size() > 1 || (out.isInput[i] && out.computed[i]);
        }
        ET_ASSIGN(const MemoryTimeline timeline, MemoryTimeline::build(method));
        pinOverlaps(timeline);
        for (const PlannedTensor& tensor : timeline.tensors) {
            takeStorage(tensor);
        }
        return std::move(out);
    }

  private:
    void mark(const std::vector<ValueId>& ids, std::vector<bool>& flags) {
        for (const ValueId id : ids) {
            flags[id.value] = true;
            if (const auto* list = method.value(id).as<program::TensorList>()) {
                mark(list->items, flags);
            } else if (const auto* numbers = method.value(id).as<program::IntList>()) {
                mark(numbers->items, flags);
            } else if (const auto* some = method.value(id).as<program::OptionalTensorList>()) {
                for (const auto& item : some->items) {
                    if (item) {
                        flags[item->value] = true;
                    }
                }
            }
        }
    }

    Result<> readAccesses() {
        program::AccessReader reader(method);
        const auto& instructions = method.chains.front().instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            ET_ASSIGN(auto access, reader.next(instructions[i]));
            for (const ValueId id : access.writes) {
                if (out.writers[id.value].empty() || out.writers[id.value].back() != i) {
                    out.writers[id.value].push_back(i);
                }
            }
            for (const ValueId id : access.reads) {
                firstRead[id.value] = std::min(firstRead[id.value], i);
            }
            out.accesses.push_back(std::move(access));
        }
        return {};
    }

    void pin(const PlannedTensor& tensor) {
        out.pinned[tensor.value.value] = true;
        for (const ValueId alias : tensor.aliases) {
            out.pinned[alias.value] = true;
        }
    }

    /// Tensors are in the order of their addresses: if each has its own memory, it ends before the next
    /// begins.
    void pinOverlaps(const MemoryTimeline& timeline) {
        const PlannedTensor* widest = nullptr;
        for (const PlannedTensor& tensor : timeline.tensors) {
            if (widest != nullptr && widest->arena == tensor.arena && tensor.offset < widest->end()) {
                pin(*widest);
                pin(tensor);
            }
            if (widest == nullptr || widest->arena != tensor.arena || tensor.end() > widest->end()) {
                widest = &tensor;
            }
        }
    }

    /// Handles values that share memory.
    void takeStorage(const PlannedTensor& tensor) {
        std::vector<ValueId> values{tensor.value};
        std::ranges::copy(tensor.aliases, std::back_inserter(values));
        const bool isWritten =
            std::ranges::any_of(values, [&](ValueId id) { return out.computed[id.value]; });
        const bool isOdd =
            std::ranges::any_of(values, [&](ValueId id) { return bool{out.pinned[id.value]}; }) ||
            tensor.kind == TensorKind::State || tensor.kind == TensorKind::Scratch ||
            (tensor.kind == TensorKind::Input && isWritten);
        if (isOdd) {
            pin(tensor);
            return;
        }
        for (const ValueId view : values) {
            if (!out.computed[view.value] && !out.isInput[view.value]) {
                addView(view, values);
            }
        }
    }

    /// A view refers to the value written last before the view is read.
    void addView(ValueId view, const std::vector<ValueId>& values) {
        const std::size_t until = firstRead[view.value];
        std::optional<ValueId> owner;
        std::size_t at = 0;
        for (const ValueId each : values) {
            const auto& writers = out.writers[each.value];
            if (!writers.empty() && writers.front() < until && (!owner || writers.front() > at)) {
                owner = each;
                at = writers.front();
            }
        }
        if (owner) {
            out.views[owner->value].push_back(view);
        }
    }

    const program::Method& method;
    MethodValues out;
    std::vector<std::size_t> firstRead;  ///< by value
};

}  // namespace

Result<MethodValues> MethodValues::of(const program::Method& method) {
    return ValueWalk(method).run();
}

}  // namespace et::tasks
