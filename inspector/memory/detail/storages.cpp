#include "inspector/memory/detail/storages.h"

#include "runtime/core/disjoint_sets.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <tuple>
#include <utility>

namespace et::inspector::memory::detail {

using program::TensorInfo;
using program::ValueId;

namespace {

/// A set of values that share memory, and the use of that memory.
struct Storage {
    std::vector<ValueId> values{};  ///< planned ones first, in the order of their first write
    ValueUse use{};
    bool planned = false;
    bool input = false;
    bool output = false;
    bool hasData = false;

    [[nodiscard]] bool filled() const { return input || hasData || use.firstWrite != never; }
    /// Step at which it gets its first contents.
    [[nodiscard]] Step filledAt() const { return input || hasData ? -1 : use.firstWrite; }
};

/// Arena and offset in a method's memory.
using ArenaPlace = std::pair<program::ArenaId, std::uint64_t>;

class Grouping {
  public:
    Grouping(const program::Method& of, const MethodUses& how)
        : method(of), uses(how), sets(of.values.size()), storages(of.values.size()) {}

    std::vector<PlannedTensor> run() {
        for (const auto& [owner, view] : uses.views) {
            sets.join(owner.value, view.value);
        }
        for (const ValueMove& move : uses.moves) {
            if (samePlace(move.from, move.to)) {
                sets.join(move.from.value, move.to.value);
            }
        }
        gather();
        findSilentViews();
        return lives();
    }

  private:
    [[nodiscard]] const TensorInfo* tensor(ValueId id) const { return method.value(id).as<TensorInfo>(); }
    /// `id` must be a tensor.
    [[nodiscard]] const TensorInfo& infoOf(ValueId id) const { return *method.value(id).as<TensorInfo>(); }
    [[nodiscard]] bool samePlace(ValueId left, ValueId right) const {
        const TensorInfo* one = tensor(left);
        const TensorInfo* other = tensor(right);
        return one != nullptr && other != nullptr && one->allocation && one->allocation == other->allocation;
    }
    Storage& storageOf(ValueId id) { return storages[sets.leader(id.value)]; }

    void gather() {
        for (std::uint32_t i = 0; i < method.values.size(); ++i) {
            const TensorInfo* info = tensor(ValueId(i));
            if (info == nullptr) {
                continue;
            }
            Storage& storage = storageOf(ValueId(i));
            storage.hasData |= info->initialData != program::InitialData::None;
            storage.use.cover(uses.values[i]);
            storage.planned |= info->allocation.has_value();
            storage.values.emplace_back(i);
        }
        for (const ValueId input : method.inputs) {
            storageOf(input).input = true;
        }
        for (const ValueId output : method.outputs) {
            storageOf(output).output = true;
        }
        for (Storage& storage : storages) {  // the representative value comes first
            std::ranges::stable_sort(storage.values, {}, [this](ValueId id) {
                return std::pair(!infoOf(id).allocation.has_value(), uses.values[id.value].firstWrite);
            });
        }
    }

    /// Exporters remove a view that copies nothing and keep a tensor that is never written, at the address of
    /// the viewed tensor: the last one filled there before the read.
    void findSilentViews() {
        std::map<ArenaPlace, std::vector<std::uint32_t>> filled;
        std::vector<std::uint32_t> empty;
        for (std::uint32_t i = 0; i < storages.size(); ++i) {
            if (storages[i].planned && sets.leader(i) == i) {
                if (storages[i].filled()) {
                    filled[placeOf(storages[i])].push_back(i);
                } else {
                    empty.push_back(i);
                }
            }
        }
        for (auto& [place, owners] : filled) {
            std::ranges::stable_sort(owners, {}, [&](std::uint32_t i) { return storages[i].filledAt(); });
        }
        for (const std::uint32_t view : empty) {
            joinToOwner(view, filled);
        }
    }

    void joinToOwner(std::uint32_t view, const std::map<ArenaPlace, std::vector<std::uint32_t>>& filled) {
        const auto owners = filled.find(placeOf(storages[view]));
        if (owners == filled.end() || !(storages[view].use.used() || storages[view].output)) {
            return;
        }
        const Step readAt = storages[view].use.firstRead;
        // Skips values that the reading instruction fills itself, in place.
        const auto after = std::ranges::lower_bound(owners->second, readAt, {},
                                                    [&](std::uint32_t i) { return storages[i].filledAt(); });
        if (after == owners->second.begin()) {
            return;
        }
        const std::uint32_t owner = *(after - 1);
        Storage& from = storages[view];
        Storage& to = storages[owner];
        if (bytesOf(from.values.front()) > bytesOf(to.values.front())) {
            return;
        }
        to.use.cover(from.use);
        to.output |= from.output;
        to.values.insert(to.values.end(), from.values.begin(), from.values.end());
        from = {};
        sets.join(owner, view);
    }

    [[nodiscard]] ArenaPlace placeOf(const Storage& storage) const {
        const auto& allocation = infoOf(storage.values.front()).allocation;
        return {allocation->arena, allocation->offset};
    }
    [[nodiscard]] std::uint64_t bytesOf(ValueId id) const {
        return static_cast<std::uint64_t>(infoOf(id).byteSize.value_or(0));
    }

    std::vector<PlannedTensor> lives() {
        std::vector<PlannedTensor> tensors;
        for (const Storage& storage : storages) {
            if (storage.planned) {
                tensors.push_back(lifeOf(storage));
            }
        }
        handOver(tensors);
        findScratch(tensors);
        std::ranges::sort(tensors, {}, [](const PlannedTensor& each) {
            return std::tuple(each.arena, each.offset, each.firstStep, each.value);
        });
        return tensors;
    }

    [[nodiscard]] PlannedTensor lifeOf(const Storage& storage) const {
        const TensorInfo& info = infoOf(storage.values.front());
        PlannedTensor out{.value = storage.values.front(),
                          .aliases = {storage.values.begin() + 1, storage.values.end()},
                          .arena = info.allocation->arena,
                          .offset = info.allocation->offset,
                          .bytes = bytesOf(storage.values.front()),
                          .kind = kindOf(storage),
                          .type = tensorType(info),
                          .name = info.name};
        if (storage.use.firstWrite != never && !storage.input) {
            const auto at = static_cast<std::size_t>(storage.use.firstWrite);
            out.producer = uses.steps[at];
            out.producerName = uses.stepNames[at];
        }
        setLife(out, storage);
        out.lastUse = out.lastStep;
        return out;
    }

    [[nodiscard]] static TensorKind kindOf(const Storage& storage) {
        if (storage.input) {
            return TensorKind::Input;
        }
        if (storage.output) {
            return storage.hasData ? TensorKind::State : TensorKind::Output;
        }
        if (!storage.use.used()) {
            return TensorKind::Unused;
        }
        return storage.hasData || storage.use.readsOld() ? TensorKind::State : TensorKind::Intermediate;
    }

    void setLife(PlannedTensor& out, const Storage& storage) const {
        const auto end = static_cast<Step>(uses.steps.size());
        if (out.kind == TensorKind::Unused) {
            return;
        }
        const bool fromStart =
            storage.input || storage.hasData || storage.use.readsOld() || !storage.use.used();
        out.firstStep = fromStart ? -1 : storage.use.first();
        const bool toEnd = storage.output || out.kind == TensorKind::State;
        out.lastStep = toEnd ? end : std::max(storage.use.last, out.firstStep);
        widen(out, storage);
    }

    /// A value defined before a loop and used in it is alive until the last iteration; a value that a loop
    /// fills incrementally is alive from the first.
    void widen(PlannedTensor& out, const Storage& storage) const {
        for (const Step at : {out.lastStep, out.firstStep}) {
            const auto after = std::ranges::upper_bound(uses.loops, at, {}, &join::detail::StepRange::first);
            if (after == uses.loops.begin() || (after - 1)->last < at) {
                continue;
            }
            const join::detail::StepRange& loop = *(after - 1);
            if (out.firstStep < loop.first) {
                out.lastStep = std::max(out.lastStep, loop.last);
            } else if (storage.use.appended && at == out.firstStep) {
                out.firstStep = loop.first;
                out.lastStep = std::max(out.lastStep, loop.last);
            }
        }
    }

    /// State shares its memory with nothing. A tensor that looks like state but shares memory and is used by
    /// a single instruction is scratch.
    void findScratch(std::vector<PlannedTensor>& tensors) const {
        std::ranges::sort(tensors, {},
                          [](const PlannedTensor& each) { return std::pair(each.arena, each.offset); });
        std::uint64_t end = 0;  // of the preceding ones in the same arena
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            PlannedTensor& tensor = tensors[i];
            const bool first = i == 0 || tensors[i - 1].arena != tensor.arena;
            const bool last = i + 1 == tensors.size() || tensors[i + 1].arena != tensor.arena;
            const bool shares =
                (!first && end > tensor.offset) || (!last && tensors[i + 1].offset < tensor.end());
            end = first ? tensor.end() : std::max(end, tensor.end());
            const ValueUse& use = uses.values[tensor.value.value];
            if (tensor.kind == TensorKind::State && shares && tensor.aliases.empty() &&
                use.firstWrite == never && use.firstRead == use.last) {
                tensor.kind = TensorKind::Scratch;
                tensor.firstStep = use.firstRead;
                tensor.lastStep = use.firstRead;
            }
        }
    }

    /// A moved value uses the memory of the other one from then on, whether or not it is planned itself.
    void handOver(std::vector<PlannedTensor>& tensors) {
        std::map<std::uint32_t, std::size_t> positions;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            positions[sets.leader(tensors[i].value.value)] = i;
        }
        std::map<std::uint32_t, Step> needed;  // by leader: last step, including values moved onward
        for (const auto& [from, to, step] : std::views::reverse(uses.moves)) {
            const std::uint32_t giver = sets.leader(from.value);
            const std::uint32_t taker = sets.leader(to.value);
            if (giver == taker || tensor(from) == nullptr || tensor(to) == nullptr) {
                continue;
            }
            const auto onward = needed.find(taker);
            const Step last =
                std::max(onward == needed.end() ? -1 : onward->second, neededUntil(taker, step));
            Step& until = needed.try_emplace(giver, last).first->second;
            until = std::max(until, last);
            if (const auto found = positions.find(giver); found != positions.end()) {
                PlannedTensor& giving = tensors[found->second];
                giving.moved.push_back({.value = to, .since = step, .until = last});
                giving.lastStep = std::max(giving.lastStep, last);
            }
        }
    }

    /// The last step that needs the contents that the storage got in a move at `step`.
    [[nodiscard]] Step neededUntil(std::uint32_t taker, Step step) const {
        const Storage& storage = storages[taker];
        if (storage.output) {
            return static_cast<Step>(uses.steps.size());
        }
        const Step last = std::max(storage.use.last, step);
        const auto after = std::ranges::upper_bound(uses.loops, last, {}, &join::detail::StepRange::first);
        if (after == uses.loops.begin() || !(after - 1)->contains(last)) {
            return last;
        }
        // An iteration reads the value moved before the loop, or by the previous iteration.
        const join::detail::StepRange& loop = *(after - 1);
        const bool isCarried = step < loop.first || storage.use.firstRead < step;
        return isCarried ? std::max(last, loop.last) : last;
    }

    const program::Method& method;
    const MethodUses& uses;
    core::DisjointSets sets;
    std::vector<Storage> storages;  ///< by leader
};

}  // namespace

std::vector<PlannedTensor> plannedTensors(const program::Method& method, const MethodUses& uses) {
    return Grouping(method, uses).run();
}

std::string tensorType(const TensorInfo& tensor) {
    return fmt::format("{} {}{}", core::scalarTypeName(tensor.scalarType), core::sizesText(tensor.sizes),
                       tensor.dynamism == program::ShapeDynamism::Bounded ? " at most" : "");
}

}  // namespace et::inspector::memory::detail
