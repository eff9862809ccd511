#include "runtime/executor/snapshot.h"

#include "runtime/executor/detail/method_impl.h"
#include "runtime/executor/detail/saved_method.h"
#include "runtime/executor/detail/snapshot_content.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace et::executor {
namespace {

using core::Result;
using core::Tensor;
using detail::DoubleBits;
using detail::SavedMemory;
using detail::SavedMethod;
using detail::SavedValue;

/// The contents are those of the memory, which snapshots copy separately. Strides follow from the others.
bool isSameTensor(const Tensor& a, const Tensor& b) {
    return a.dtype() == b.dtype() && a.raw() == b.raw() && a.capacityBytes() == b.capacityBytes() &&
           a.resizable() == b.resizable() && a.isConstant() == b.isConstant() && a.sizes() == b.sizes() &&
           a.dimOrder() == b.dimOrder();
}

SavedValue copyValue(const core::Value& value, const std::vector<Tensor>& tensors) {
    if (const auto* tensor = value.as<Tensor>()) {
        if (tensor >= tensors.data() && tensor < tensors.data() + tensors.size()) {
            // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): a tensor of the method, which is not
            // const
            return const_cast<Tensor*>(tensor);
        }
        return std::make_shared<const Tensor>(*tensor);
    }
    if (const auto* number = value.as<std::int64_t>()) {
        return *number;
    }
    if (const auto* number = value.as<double>()) {
        return DoubleBits{std::bit_cast<std::uint64_t>(*number)};
    }
    if (const auto* truth = value.as<bool>()) {
        return *truth;
    }
    if (const auto* text = value.as<std::string_view>()) {
        return *text;
    }
    return value.isNone() ? SavedValue(std::monostate{}) : SavedValue(detail::Unsaved{});
}

void restoreValue(const SavedValue& saved, core::Value& value) {
    std::visit(
        [&]<class T>(const T& content) {
            if constexpr (std::is_same_v<T, Tensor*>) {
                value.setIn(content);
            } else if constexpr (std::is_same_v<T, std::shared_ptr<const Tensor>>) {
                value.set(core::Value::Kind(core::Boxed<Tensor>(*content)));
            } else if constexpr (std::is_same_v<T, DoubleBits>) {
                value.set(std::bit_cast<double>(content.bits));
            } else if constexpr (!std::is_same_v<T, detail::Unsaved>) {
                value.set(content);
            }
        },
        saved);
}

std::span<std::byte> bytesOf(const detail::Memory& memory) {
    return {memory.data(), memory.bytes()};
}

/// An element of a list in an earlier snapshot; null if the snapshot lacks it.
template <class Item>
const Item* before(const std::vector<Item>* list, std::size_t at) {
    return list != nullptr && at < list->size() ? &(*list)[at] : nullptr;
}

void saveMemory(const detail::MethodValues& values, const SavedMethod* previous, SavedMethod& saved) {
    for (const detail::OwnedMemory& each : values.owned) {
        if (!each.isConstant) {
            saved.owned.push_back(SavedMemory::copy(
                bytesOf(each.memory),
                before(previous == nullptr ? nullptr : &previous->owned, saved.owned.size())));
        }
    }
    for (std::size_t i = 0; i < values.growing.size(); ++i) {
        const std::vector<SavedMemory>* const known =
            before(previous == nullptr ? nullptr : &previous->growing, i);
        const std::span<const detail::Memory> blocks = values.growing[i]->inUse();
        std::vector<SavedMemory> growing;
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            growing.push_back(SavedMemory::copy(bytesOf(blocks[block]), before(known, block)));
        }
        saved.growing.push_back(std::move(growing));
    }
}

void restoreMemory(const SavedMethod& saved, detail::MethodValues& values) {
    std::size_t next = 0;
    for (const detail::OwnedMemory& each : values.owned) {
        if (!each.isConstant) {
            saved.owned[next++].restoreTo(bytesOf(each.memory));
        }
    }
    for (std::size_t i = 0; i < saved.growing.size(); ++i) {
        values.growing[i]->use(saved.growing[i].size());
        const std::span<const detail::Memory> blocks = values.growing[i]->inUse();
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            saved.growing[i][block].restoreTo(bytesOf(blocks[block]));
        }
    }
}

}  // namespace

namespace detail {

std::uint64_t SavedMethod::countBytes(std::unordered_set<const void*>& counted) const {
    std::uint64_t total = sizeof(SavedMethod) + values.countBytes(counted) + tensors.countBytes(counted);
    for (const SavedMemory& memory : owned) {
        total += memory.countBytes(counted);
    }
    for (const std::vector<SavedMemory>& blocks : growing) {
        for (const SavedMemory& memory : blocks) {
            total += memory.countBytes(counted);
        }
    }
    total += counted.insert(random.get()).second ? sizeof(*random) : 0;
    for (const auto& state : kernels) {
        total += state != nullptr && counted.insert(state.get()).second ? state->bytes() : 0;
    }
    for (const auto& state : delegates) {
        total += state == nullptr ? 0 : state->countBytes(counted);
    }
    return total;
}

}  // namespace detail

Snapshot::Snapshot(std::unique_ptr<const Content> content) : saved(std::move(content)) {
}
Snapshot::~Snapshot() = default;

std::uint64_t Snapshot::countBytes(std::unordered_set<const void*>& counted) const {
    std::uint64_t total = sizeof(Content);
    for (const SavedMemory& arena : saved->arenas) {
        total += arena.countBytes(counted);
    }
    for (const auto& method : saved->methods) {
        total += method->countBytes(counted);
    }
    for (const detail::SavedCache& cache : saved->caches) {
        total += cache.countBytes(counted);
    }
    return total;
}

Result<std::unique_ptr<const SavedMethod>> Method::Impl::saveState(const SavedMethod* previous) const {
    auto saved = std::make_unique<SavedMethod>();
    const auto copied = [&](std::size_t i) { return copyValue(values.values[i], values.tensors); };
    saved->values = detail::SavedItems<SavedValue>::copy(
        values.values.size(), previous == nullptr ? nullptr : &previous->values,
        [&](std::size_t i, const SavedValue& known) { return copied(i) == known; }, copied);
    saved->tensors = detail::SavedItems<Tensor>::copy(
        values.tensors.size(), previous == nullptr ? nullptr : &previous->tensors,
        [&](std::size_t i, const Tensor& known) { return isSameTensor(values.tensors[i], known); },
        [&](std::size_t i) { return values.tensors[i]; });
    saveMemory(values, previous, *saved);
    const bool isSameRandom = previous != nullptr && *previous->random == random;
    saved->random = isSameRandom ? previous->random : std::make_shared<const std::mt19937_64>(random);
    for (std::size_t i = 0; i < steps.all.size(); ++i) {
        std::shared_ptr<const kernels::KernelState> state =
            steps.all[i].state == nullptr ? nullptr : steps.all[i].state->copy();
        if (state != nullptr) {
            saved->kernels.resize(steps.all.size());
            saved->kernels[i] = std::move(state);
        }
    }
    for (std::size_t i = 0; i < steps.delegates.size(); ++i) {
        const auto* known = before(previous == nullptr ? nullptr : &previous->delegates, i);
        ET_ASSIGN(auto state, steps.delegates[i]->saveState(known == nullptr ? nullptr : known->get()));
        saved->delegates.push_back(std::move(state));
    }
    saved->next = next;
    saved->executed = executed;
    saved->isRunning = isRunning;
    return saved;
}

Result<> Method::Impl::restoreState(const SavedMethod& saved) {
    for (std::size_t i = 0; i < saved.tensors.size(); ++i) {
        if (!isSameTensor(values.tensors[i], saved.tensors[i])) {
            values.tensors[i] = saved.tensors[i];
        }
    }
    for (std::size_t i = 0; i < saved.values.size(); ++i) {
        restoreValue(saved.values[i], values.values[i]);
    }
    restoreMemory(saved, values);
    random = *saved.random;
    for (std::size_t i = 0; i < steps.all.size(); ++i) {
        auto& state = steps.all[i].state;
        if (!saved.kernels.empty() && saved.kernels[i] != nullptr) {
            state = saved.kernels[i]->copy();
        } else if (state != nullptr && state->copy() != nullptr) {
            state.reset();  // it did not exist yet
        }
    }
    for (std::size_t i = 0; i < saved.delegates.size(); ++i) {
        if (saved.delegates[i] != nullptr) {
            ET_TRY(steps.delegates[i]->restoreState(*saved.delegates[i]));
        }
    }
    next = saved.next;
    executed = saved.executed;
    isRunning = saved.isRunning;
    return {};
}

}  // namespace et::executor
