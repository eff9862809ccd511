#include "runtime/executor/detail/values.h"

#include "runtime/core/memory_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>

namespace et::executor::detail {
namespace {

using core::ErrorCode;

/// Returns the alignment of the tensor's elements; complex elements are aligned to their halves.
std::size_t elementAlignment(const core::Tensor& tensor) {
    return core::isComplex(tensor.dtype()) ? tensor.elementSize() / 2 : tensor.elementSize();
}

bool isAligned(const std::byte* place, const core::Tensor& tensor) {
    return std::bit_cast<std::uintptr_t>(place) % elementAlignment(tensor) == 0;
}

/// Copies bytes without writing pages that already contain them: state that starts at zero takes no memory
/// until it is used.
void copyDifferences(core::Bytes from, std::byte* to) {
    constexpr std::size_t page = 4096;
    for (std::size_t at = 0; at < from.size(); at += page) {
        const core::Bytes part = from.subspan(at, std::min(page, from.size() - at));
        if (std::memcmp(to + at, part.data(), part.size()) != 0) {
            std::memcpy(to + at, part.data(), part.size());
        }
    }
}

class ValueMaker {
  public:
    ValueMaker(const program::Method& from, ModuleState& moduleState, MethodValues& into)
        : method(from), module(moduleState), out(into) {}

    core::Result<> makeAll() {
        out.values = std::vector<core::Value>(method.values.size());
        reserveTensors();
        ET_TRY(takeArenas());
        for (std::size_t i = 0; i < method.values.size(); ++i) {
            if (auto made = makeOne(method.values[i], out.values[i]); !made) {
                core::Error error = std::move(made).error();
                if (error.where.field.empty()) {
                    error.where.field = fmt::format("values[{}]", i);
                }
                return std::unexpected(std::move(error));
            }
        }
        return {};
    }

  private:
    void reserveTensors() {
        out.tensors.reserve(static_cast<std::size_t>(std::ranges::count_if(
            method.values, [](const program::Value& value) { return value.is<program::TensorInfo>(); })));
        core::takePages(std::as_writable_bytes(std::span(out.tensors.data(), out.tensors.capacity())));
    }

    core::Result<> takeArenas() {
        for (std::size_t id = 0; id < method.arenas.size(); ++id) {
            ET_ASSIGN(const UsedArena arena, module.arenas.take(method.name, id, method.arenas[id].bytes));
            out.arenas.push_back(arena);
            out.planned.emplace_back(arena.data, arena.bytes);
            out.report.arenas.push_back(arena.bytes);
            out.taken.push_back(arena.fresh ? arena.bytes : 0);
        }
        return {};
    }

    core::Result<> makeOne(const program::Value& from, core::Value& to) {
        return from.visit([&](const auto& content) { return make(content, to); });
    }

    template <class Plain>
        requires std::is_same_v<Plain, std::monostate> || std::is_arithmetic_v<Plain> ||
                 std::is_same_v<Plain, std::string_view>
    core::Result<> make(const Plain& content, core::Value& to) {
        to.set(content);
        return {};
    }

    std::vector<core::Value*> pointers(std::span<const program::ValueId> ids) {
        std::vector<core::Value*> items(ids.size(), nullptr);
        std::ranges::transform(ids, items.begin(), [&](program::ValueId id) { return &out.at(id); });
        return items;
    }

    core::Result<> make(const program::IntList& list, core::Value& to) {
        core::IntListValue value{.items = pointers(list.items), .numbers = {}};
        value.numbers.assign(list.items.size(), 0);
        to.set(std::move(value));
        return {};
    }

    core::Result<> make(const program::DoubleList& list, core::Value& to) {
        to.set(core::DoubleListValue{list.items});
        return {};
    }

    core::Result<> make(const program::BoolList& list, core::Value& to) {
        core::BoolListValue value{.numbers = std::make_unique<bool[]>(list.items.size()),
                                  .size = list.items.size()};
        std::ranges::copy(list.items, value.numbers.get());
        to.set(std::move(value));
        return {};  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): `to` has them
    }

    core::Result<> make(const program::TensorList& list, core::Value& to) {
        core::TensorListValue value{.items = pointers(list.items), .tensors = {}};
        value.tensors.assign(list.items.size(), nullptr);
        to.set(std::move(value));
        return {};
    }

    core::Result<> make(const program::OptionalTensorList& list, core::Value& to) {
        core::TensorListValue value{.items = {}, .tensors = {}, .optionalItems = true};
        value.items.assign(list.items.size(), nullptr);
        std::ranges::transform(
            list.items, value.items.begin(),
            [&](const std::optional<program::ValueId>& id) { return id ? &out.at(*id) : nullptr; });
        value.tensors.assign(list.items.size(), nullptr);
        to.set(std::move(value));
        return {};
    }

    core::Result<> make(const program::TensorInfo& info, core::Value& to) {
        if (info.layout != 0) {
            return core::fail(ErrorCode::Unsupported,
                              fmt::format("expected a strided tensor, got layout {}", info.layout));
        }
        core::Tensor& tensor = out.tensors.emplace_back();
        to.setIn(&tensor);
        ET_TRY(tensor.makeHere(static_cast<core::ScalarType>(info.scalarType), info.sizes, nullptr,
                               info.dimOrder));
        ET_ASSIGN(const core::Bytes initial, initialData(info, tensor));
        if (info.initialData != program::InitialData::None && initial.size() < tensor.bytes()) {
            return core::fail(ErrorCode::Format, fmt::format("expected {} bytes of data, got {}",
                                                             tensor.bytes(), initial.size()));
        }
        if (info.allocation) {
            ET_TRY(planInto(*info.allocation, initial, tensor));
        } else if (info.initialData != program::InitialData::None) {
            ET_TRY(useConstant(initial, tensor));
        } else if (info.dynamism != program::ShapeDynamism::Unbounded) {
            ET_TRY(own(tensor));
        }
        return setShape(info, tensor);
    }

    core::Result<core::Bytes> initialData(const program::TensorInfo& info, const core::Tensor& tensor) {
        if (info.initialData != program::InitialData::External) {
            return info.data;
        }
        const auto external = module.data.findExternal(info.name);
        if (!external) {
            return core::fail(
                ErrorCode::NotFound,
                fmt::format("no tensor data contains \"{}\", {}: pass the .ptd file that does (--data)",
                            core::printable(info.name), describe(tensor)));
        }
        const auto& layout = external->entry->layout;
        const bool sameShape = !layout || (layout->scalarType == info.scalarType &&
                                           layout->sizes == info.sizes && layout->dimOrder == info.dimOrder);
        if (!sameShape || external->entry->data.size() < tensor.bytes()) {
            return core::fail(
                ErrorCode::Mismatch,
                fmt::format("\"{}\": the program expects {} in {} bytes, got {} {} in {} bytes",
                            core::printable(info.name), describe(tensor), tensor.bytes(),
                            layout ? core::scalarTypeName(layout->scalarType) : "unknown",
                            layout ? core::sizesText(layout->sizes) : "", external->entry->data.size()),
                {.file = external->file->file->name(), .field = {}, .offset = {}});
        }
        return external->entry->data.first(tensor.bytes());
    }

    core::Result<> planInto(const program::Allocation& place, core::Bytes initial, core::Tensor& tensor) {
        const UsedArena& arena = out.arenas[place.arena.value];
        if (place.offset > arena.bytes || tensor.bytes() > arena.bytes - place.offset) {
            return core::fail(ErrorCode::Format,
                              fmt::format("expected {} bytes at offset {} of an arena of {} bytes",
                                          tensor.bytes(), place.offset, arena.bytes));
        }
        std::byte* memory = arena.data + place.offset;
        if (!isAligned(memory, tensor)) {
            return core::fail(
                ErrorCode::Format,
                fmt::format("expected an offset for {} that is a multiple of {}, got {}",
                            core::scalarTypeName(tensor.dtype()), elementAlignment(tensor), place.offset));
        }
        if (arena.fresh && !initial.empty()) {
            copyDifferences(initial.first(tensor.bytes()), memory);
        }
        tensor.setMemory(memory, tensor.bytes());
        return {};
    }

    core::Result<> useConstant(core::Bytes bytes, core::Tensor& tensor) {
        // The flag keeps kernels from writing to the mapped file.
        tensor.setConstant(true);
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): see above
        auto* place = const_cast<std::byte*>(bytes.data());
        if (isAligned(place, tensor)) {
            tensor.setMemory(place, tensor.bytes());
            out.report.constants += tensor.bytes();
            return {};
        }
        ET_TRY(own(tensor));
        out.report.unplannedIo -= tensor.bytes();
        out.report.copiedConstants += tensor.bytes();
        if (tensor.bytes() != 0) {
            out.owned.back().isConstant = true;
        }
        std::memcpy(tensor.raw(), bytes.data(), tensor.bytes());
        return {};
    }

    core::Result<> own(core::Tensor& tensor) {
        ET_ASSIGN(Memory memory, Memory::make(tensor.bytes(), module.budget));
        tensor.setMemory(memory.data(), tensor.bytes());
        out.report.unplannedIo += tensor.bytes();
        if (memory.data() != nullptr) {
            out.owned.push_back({.memory = std::move(memory)});
        }
        return {};
    }

    core::Result<> setShape(const program::TensorInfo& info, core::Tensor& tensor) {
        switch (tensor.isConstant() ? program::ShapeDynamism::Static : info.dynamism) {
            case program::ShapeDynamism::Static:
                tensor.setShape(core::Tensor::Shape::Fixed);
                return {};
            case program::ShapeDynamism::Bounded:
                tensor.setShape(core::Tensor::Shape::Bounded);
                return {};
            case program::ShapeDynamism::Unbounded:
                break;
        }
        auto block = std::make_unique<GrowingBlock>(module.budget);
        if (tensor.raw() == nullptr) {
            ET_ASSIGN(std::byte * memory, block->reserve(tensor.bytes()));
            tensor.setMemory(memory, tensor.bytes());
        }
        tensor.setShape(core::Tensor::Shape::Growing, block.get());
        out.growing.push_back(std::move(block));
        return {};
    }

    const program::Method& method;
    ModuleState& module;
    MethodValues& out;
};

}  // namespace

core::Result<MethodValues> makeValues(const program::Method& method, ModuleState& module) {
    MethodValues values;
    ET_TRY(ValueMaker(method, module, values).makeAll());
    return values;
}

}  // namespace et::executor::detail
