#include "app/tasks/sanitize/value_storages.h"

#include "runtime/core/mapped_ranges.h"
#include "runtime/program/instruction_access.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using core::Tensor;
using Role = ValueStorage::Role;

constexpr std::size_t worldPage = 4096;
/// Larger constants have one region for both worlds.
constexpr std::size_t maxConstantCopies = std::size_t{256} << 10U;
/// Arenas from this number on are shared by the methods of a module.
constexpr std::uint32_t firstSharedArena = 2;

/// That of ExecuTorch's memory plans; kernels may load vectors with instructions that need it.
constexpr std::size_t alignment = 16;

/// By program::ValueId.
struct WrittenValues {
    std::vector<bool> updated;  ///< an instruction changes it in place
    std::vector<bool> written;  ///< an instruction writes it
};

Result<WrittenValues> writtenValues(const program::Method& method) {
    WrittenValues out{.updated = std::vector<bool>(method.values.size()),
                      .written = std::vector<bool>(method.values.size())};
    program::AccessReader reader(method);
    for (const program::Chain& chain : method.chains) {
        for (const program::Instruction& instruction : chain.instructions) {
            ET_ASSIGN(const program::InstructionAccess access, reader.next(instruction));
            for (const program::ValueId id : access.writes) {
                out.written[id.value] = true;
                out.updated[id.value] = out.updated[id.value] || std::ranges::contains(access.reads, id);
            }
            if (std::holds_alternative<program::DelegateCall>(instruction)) {
                for (const program::ValueId id : access.reads) {
                    out.updated[id.value] = true;  // a delegate may keep state in its arguments
                }
            }
        }
    }
    return out;
}

}  // namespace

StorageMemory::~StorageMemory() {
    heap.remove(regions[0]);
    if (regions[1] != regions[0]) {
        heap.remove(regions[1]);
    }
}

Result<std::shared_ptr<StorageMemory>> StorageMemory::make(GuardedHeap& heap, std::size_t bytes,
                                                           bool isShared) {
    std::array<GuardedRegion*, worldCount> regions{};
    ET_ASSIGN(regions[0], heap.make(bytes, GuardedRegion::Flush::End, alignment));
    regions[1] = regions[0];
    if (!isShared) {
        ET_ASSIGN(regions[1], heap.make(bytes, GuardedRegion::Flush::Start, alignment));
        regions[1]->world = 1;
    }
    return std::make_shared<StorageMemory>(heap, regions);
}

/// Makes the storages of one method.
class StorageMaker {
  public:
    StorageMaker(GuardedHeap& from, SharedStorages& sharedStorages, const program::Method& of,
                 std::span<core::Value> all, ValueStorages& into)
        : heap(from), shared(sharedStorages), method(of), values(all), out(into), isPlaced(all.size()) {}

    Result<> run() {
        ET_ASSIGN(writes, writtenValues(method));
        for (const inspector::PlannedTensor& tensor : out.plan.tensors) {
            ET_TRY(placePlanned(tensor));
        }
        for (std::uint32_t i = 0; i < values.size(); ++i) {
            ET_TRY(placeOther(program::ValueId(i)));
        }
        return {};
    }

  private:
    [[nodiscard]] Tensor* tensorOf(program::ValueId id) const {
        Tensor* const tensor = values[id.value].as<Tensor>();
        const bool isUsable = tensor != nullptr && !isPlaced[id.value] && tensor->raw() != nullptr &&
                              tensor->resizable() != Tensor::Shape::Growing && tensor->capacityBytes() > 0;
        return isUsable ? tensor : nullptr;
    }
    [[nodiscard]] const program::TensorInfo& infoOf(program::ValueId id) const {
        return *method.value(id).as<program::TensorInfo>();
    }

    Result<> placePlanned(const inspector::PlannedTensor& planned) {
        Tensor* const tensor = tensorOf(planned.value);
        const auto& place = infoOf(planned.value).allocation;
        if (tensor == nullptr || !place) {
            return {};
        }
        const std::size_t bytes = tensor->capacityBytes();
        ValueStorage storage{
            .value = planned.value, .dtype = tensor->dtype(), .bytes = bytes, .place = place};
        ET_ASSIGN(storage.memory, sharedMemory(planned, bytes));
        const bool isFilled = infoOf(planned.value).initialData != program::InitialData::None;
        const bool isState = planned.kind == inspector::TensorKind::State;
        storage.role = isState                                        ? Role::State
                       : planned.kind == inspector::TensorKind::Input ? Role::Input
                                                                      : Role::Other;
        // Without either, an operator that declares the argument as changeable must write it first.
        const bool isShared = planned.arena.value >= firstSharedArena;  // other methods may write it
        storage.isDefinedFromStart =
            isFilled || (isState && (isShared || contains(writes.updated, planned))) ||
            planned.kind == inspector::TensorKind::Input || planned.kind == inspector::TensorKind::Scratch ||
            planned.kind == inspector::TensorKind::Unused;
        storage.isModified = contains(writes.written, planned);
        fill(storage, tensor->raw());
        GuardedRegion& region = storage.memory->in(0);
        put(planned.value, region.begin);
        for (const program::ValueId id : planned.aliases) {
            Tensor* const alias = tensorOf(id);
            const auto& own = infoOf(id).allocation;
            if (alias != nullptr && own && own->arena == place->arena && own->offset >= place->offset &&
                own->offset - place->offset + alias->capacityBytes() <= bytes) {
                put(id, region.begin + (own->offset - place->offset));
            }
        }
        add(std::move(storage));
        return {};
    }

    /// Whether a list of values contains the tensor or an alias.
    static bool contains(const std::vector<bool>& list, const inspector::PlannedTensor& planned) {
        return list[planned.value.value] ||
               std::ranges::any_of(planned.aliases, [&](program::ValueId id) { return list[id.value]; });
    }

    Result<std::shared_ptr<StorageMemory>> sharedMemory(const inspector::PlannedTensor& planned,
                                                        std::size_t bytes) {
        if (planned.arena.value < firstSharedArena) {
            return StorageMemory::make(heap, bytes, false);
        }
        std::weak_ptr<StorageMemory>& known =
            shared[{planned.arena.value, method.arenas[planned.arena.value].bytes, planned.offset, bytes}];
        if (auto memory = known.lock()) {
            return memory;
        }
        ET_ASSIGN(auto memory, StorageMemory::make(heap, bytes, false));
        known = memory;
        return memory;
    }

    /// Constants, and values whose memory is not planned.
    Result<> placeOther(program::ValueId id) {
        Tensor* const tensor = tensorOf(id);
        if (tensor == nullptr) {
            return {};
        }
        const std::size_t bytes = tensor->capacityBytes();
        if (tensor->isConstant()) {
            const auto known = constants.find({tensor->raw(), bytes});
            if (known != constants.end()) {
                put(id, known->second);
                return {};
            }
        }
        const bool isInput = std::ranges::contains(method.inputs, id);
        ValueStorage storage{.role = tensor->isConstant() ? Role::Constant
                                     : isInput            ? Role::Input
                                                          : Role::Other,
                             .value = id,
                             .dtype = tensor->dtype(),
                             .bytes = bytes,
                             .isDefinedFromStart = tensor->isConstant() || isInput,
                             .isModified = writes.written[id.value]};
        // A single copy needs an inaccessible page at its end, or at both ends.
        const bool isExact = bytes > maxConstantCopies ? bytes % alignment == 0 : bytes % worldPage == 0;
        ET_ASSIGN(storage.memory, StorageMemory::make(heap, bytes, tensor->isConstant() && isExact));
        fill(storage, tensor->raw());
        if (tensor->isConstant()) {
            constants.emplace(std::pair(tensor->raw(), bytes), storage.memory->in(0).begin);
            if (bytes > maxConstantCopies) {
                core::releaseMappedPages({tensor->raw(), bytes});
            }
        }
        put(id, storage.memory->in(0).begin);
        add(std::move(storage));
        return {};
    }

    void fill(ValueStorage& storage, const std::byte* from) {
        storage.isWritten = storage.isDefinedFromStart;
        if (!storage.isDefinedFromStart && storage.role != Role::State) {
            return;
        }
        for (std::size_t world = 0; world < worldCount; ++world) {
            GuardedRegion& region = storage.memory->in(world);
            heap.setAccess(region, GuardedRegion::Access::Write);
            std::memcpy(region.begin, from, storage.bytes);
            out.fillPads(storage, world);
            // Kernels may keep pointers to constants.
            region.staysOpen = storage.role == Role::Constant;
            heap.setAccess(region,
                           region.staysOpen ? GuardedRegion::Access::Read : GuardedRegion::Access::None);
        }
    }

    void put(program::ValueId id, std::byte* place) {
        Tensor& tensor = *values[id.value].as<Tensor>();
        tensor.setMemory(place, tensor.capacityBytes());
        isPlaced[id.value] = true;
    }

    void add(ValueStorage storage) {
        for (std::size_t world = 0; world < worldCount; ++world) {
            out.byRegion.emplace(&storage.memory->in(world), out.storages.size());
        }
        out.storages.push_back(std::move(storage));
    }

    GuardedHeap& heap;
    SharedStorages& shared;
    const program::Method& method;
    std::span<core::Value> values;
    ValueStorages& out;
    std::vector<bool> isPlaced;
    WrittenValues writes;
    std::map<std::pair<const std::byte*, std::size_t>, std::byte*> constants;  ///< places of equal ones
};

Result<ValueStorages> ValueStorages::make(GuardedHeap& heap, SharedStorages& shared,
                                          const program::Method& method, std::span<core::Value> values) {
    ValueStorages made;
    made.heap = &heap;
    ET_ASSIGN(made.plan, inspector::MemoryTimeline::build(method));
    ET_TRY(StorageMaker(heap, shared, method, values, made).run());
    return made;
}

std::optional<std::size_t> ValueStorages::of(const GuardedRegion* region) const {
    const auto found = byRegion.find(region);
    return found == byRegion.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> ValueStorages::at(const void* address) const {
    const GuardedRegion* const region = address == nullptr ? nullptr : heap->find(address);
    return region == nullptr ? std::nullopt : of(region);
}

std::byte* ValueStorages::inWorld(std::byte* address, std::size_t world) const {
    const GuardedRegion* const region = heap->find(address);
    const auto storage = region == nullptr ? std::nullopt : of(region);
    return storage ? storages[*storage].memory->in(world).begin + (address - region->begin) : address;
}

void ValueStorages::poison(ValueStorage& storage, std::size_t world) {
    GuardedRegion& region = storage.memory->in(world);
    heap->setAccess(region, GuardedRegion::Access::Write);
    std::memset(region.begin, std::to_integer<int>(poisonOf(storage.dtype)[world]), region.bytes);
    fillPads(storage, world);
}

void ValueStorages::fillPads(ValueStorage& storage, std::size_t world) {
    if (std::exchange(storage.hasPads[world], true)) {
        return;
    }
    GuardedRegion& region = storage.memory->in(world);
    const int content = std::to_integer<int>(plainPoison[world]);
    std::memset(region.pages, content, region.before().size());
    std::memset(region.begin + region.bytes, content, region.after().size());
}

void ValueStorages::open(bool isAll) {
    for (const ValueStorage& storage : storages) {
        if (storage.role != ValueStorage::Role::Constant && storage.role != ValueStorage::Role::Input) {
            for (std::size_t world = 0; world < (isAll ? worldCount : 1); ++world) {
                heap->setAccess(storage.memory->in(world), GuardedRegion::Access::Write);
            }
        }
    }
}

void ValueStorages::openInputs(bool isAll) {
    for (const ValueStorage& storage : storages) {
        if (storage.role == ValueStorage::Role::Input) {
            for (std::size_t world = 0; world < (isAll ? worldCount : 1); ++world) {
                heap->setAccess(storage.memory->in(world), storage.isModified ? GuardedRegion::Access::Write
                                                                              : GuardedRegion::Access::Read);
            }
        }
    }
}

void ValueStorages::copyStates() {
    for (ValueStorage& storage : storages) {
        if (storage.role != ValueStorage::Role::State) {
            continue;
        }
        const GuardedRegion& first = storage.memory->in(0);
        for (std::size_t world = 1; world < worldCount; ++world) {
            heap->setAccess(storage.memory->in(world), GuardedRegion::Access::Write);
            std::memcpy(storage.memory->in(world).begin, first.begin, storage.bytes);
        }
        storage.isWritten = true;
        storage.overwritten.reset();
    }
}

void ValueStorages::discard(ValueStorage& storage) {
    for (std::size_t world = 0; world < worldCount; ++world) {
        heap->discard(storage.memory->in(world));
        storage.hasPads[world] = false;
    }
}

}  // namespace et::tasks
