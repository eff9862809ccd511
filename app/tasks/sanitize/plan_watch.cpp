#include "app/tasks/sanitize/plan_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::tasks {
namespace {

bool overlap(const ValueStorage& one, const ValueStorage& other) {
    return one.place && other.place && one.place->arena == other.place->arena &&
           one.place->offset < other.place->offset + other.bytes &&
           other.place->offset < one.place->offset + one.bytes;
}

/// Whether a call replaces the contents of an argument that it declares as read.
bool replacesAll(const CheckedInstruction& instruction, const TensorArgument& argument) {
    return instruction.op.starts_with("aten::copy_") && argument.number == 0;
}

}  // namespace

PlanWatch::PlanWatch(const program::Method& of, ValueStorages& all) : method(of), storages(all) {
    const inspector::MemoryTimeline& timeline = storages.timeline();
    for (const inspector::InPlaceCandidate& each : timeline.inPlace) {
        inPlace.emplace(timeline.tensors[each.giver].value, timeline.tensors[each.taker].value);
    }
    for (std::size_t i = 0; i < storages.all().size(); ++i) {
        std::vector<std::size_t> ignored;
        if (storages.all()[i].role == ValueStorage::Role::State) {
            occupy(i, 0, -1, ignored);
        }
    }
}

void PlanWatch::begin() {
    for (std::size_t i = 0; i < storages.all().size(); ++i) {
        ValueStorage& storage = storages.all()[i];
        const bool isState = storage.role == ValueStorage::Role::State;
        storage.isWritten = storage.isDefinedFromStart || (isState && storage.isWritten);
        storage.isUndefined = false;
        storage.unwritten.reset();
        if (!storage.isDefinedFromStart && !isState) {
            storage.overwritten.reset();
        }
        if (storage.role == ValueStorage::Role::Input) {
            std::vector<std::size_t> ignored;
            occupy(i, 0, -1, ignored);
        }
    }
}

void PlanWatch::check(const ValueStorage& storage, const CheckedInstruction& instruction,
                      const TensorArgument* argument, std::vector<MemoryFinding>& out) const {
    const auto add = [&](MemoryError kind, std::string detail) {
        MemoryFinding finding = findingAt(kind, method, instruction, argument);
        finding.value = argument == nullptr ? storage.value.value : argument->value.value;
        finding.isWrite = false;
        finding.detail = std::move(detail);
        out.push_back(std::move(finding));
    };
    if (storage.overwritten) {
        const auto& by = *storage.overwritten;
        const ValueStorage& writer = storages.all()[by.storage];
        add(MemoryError::PlanOverlap,
            fmt::format("{} has the same memory (arena {}, offset {}) and was written {}",
                        valueText(method, writer.value), writer.place->arena.value, writer.place->offset,
                        by.instruction < 0 ? std::string("as an input")
                                           : fmt::format("by instruction {}", by.instruction)));
    } else if (!storage.isWritten && (argument == nullptr || !argument->isUpdated)) {
        add(MemoryError::ReadBeforeWrite,
            fmt::format("{} has no contents yet", valueText(method, storage.value)));
    }
}

std::vector<MemoryFinding> PlanWatch::read(const CheckedInstruction& instruction,
                                           std::span<const TensorArgument> arguments) const {
    std::vector<MemoryFinding> out;
    for (const TensorArgument& each : arguments) {
        if (each.isRead && each.storage && each.tensor->bytes() > 0 && !replacesAll(instruction, each)) {
            check(storages.all()[*each.storage], instruction, &each, out);
        }
    }
    checkOutputs(instruction, arguments, out);
    checkAlias(instruction, arguments, out);
    return out;
}

std::vector<MemoryFinding> PlanWatch::readAtEnd(std::size_t storage) const {
    std::vector<MemoryFinding> out;
    check(storages.all()[storage], CheckedInstruction{.instruction = -1}, nullptr, out);
    return out;
}

bool PlanWatch::mayShare(const ValueStorage& giver, const ValueStorage& taker) const {
    return giver.place == taker.place && inPlace.contains({giver.value, taker.value});
}

/// Outputs at the address of a different input that the same call reads.
void PlanWatch::checkOutputs(const CheckedInstruction& instruction, std::span<const TensorArgument> arguments,
                             std::vector<MemoryFinding>& out) const {
    for (const TensorArgument& written : arguments) {
        if (!written.isWritten || written.isRead || !written.storage || written.tensor->bytes() == 0) {
            continue;
        }
        for (const TensorArgument& read : arguments) {
            if (!read.isRead || !read.storage || read.storage == written.storage ||
                read.tensor->bytes() == 0) {
                continue;
            }
            const ValueStorage& from = storages.all()[*read.storage];
            const ValueStorage& to = storages.all()[*written.storage];
            // Working memory of an operator has no contents to lose.
            const auto isScratch = [&] {
                return findingAt(MemoryError::PlanOverlap, method, instruction, &read)
                    .argumentName.contains("scratch");
            };
            if (overlap(from, to) && !mayShare(from, to) && !isScratch()) {
                MemoryFinding finding = findingAt(MemoryError::PlanOverlap, method, instruction, &written);
                finding.isWrite = true;
                finding.detail = fmt::format("the plan puts it on argument {}, {}, which the same call reads",
                                             read.number, valueText(method, read.value));
                out.push_back(std::move(finding));
            }
        }
    }
}

void PlanWatch::checkAlias(const CheckedInstruction& instruction, std::span<const TensorArgument> arguments,
                           std::vector<MemoryFinding>& out) const {
    if (!instruction.alias) {
        return;
    }
    const auto [owner, alias] = *instruction.alias;
    const auto* const from = method.value(owner).as<program::TensorInfo>();
    const auto* const to = method.value(alias).as<program::TensorInfo>();
    if (from == nullptr || to == nullptr || !to->allocation || from->allocation == to->allocation) {
        return;
    }
    const auto argument = std::ranges::find(arguments, alias, &TensorArgument::value);
    MemoryFinding finding = findingAt(MemoryError::BrokenAlias, method, instruction,
                                      argument == arguments.end() ? nullptr : &*argument);
    finding.detail = fmt::format("{} must be at the address of {}, which the operator changes in place",
                                 valueText(method, alias), valueText(method, owner));
    out.push_back(std::move(finding));
}

std::vector<std::size_t> PlanWatch::write(const CheckedInstruction& instruction,
                                          std::span<const TensorArgument> arguments) {
    std::vector<std::size_t> reused;
    for (const TensorArgument& each : arguments) {
        if (each.isWritten && each.storage) {
            ValueStorage& storage = storages.all()[*each.storage];
            storage.isWritten = true;
            occupy(*each.storage, instruction.chain, instruction.instruction, reused);
        }
    }
    return reused;
}

void PlanWatch::occupy(std::size_t index, std::int32_t chain, std::int32_t instruction,
                       std::vector<std::size_t>& reused) {
    ValueStorage& storage = storages.all()[index];
    storage.overwritten.reset();
    if (!storage.place || storage.bytes == 0) {
        return;
    }
    const std::uint32_t arena = storage.place->arena.value;
    const std::uint64_t begin = storage.place->offset;
    const std::uint64_t end = begin + storage.bytes;
    const auto evict = [&](std::size_t other) {
        if (other != index) {
            storages.all()[other].overwritten = {
                .storage = index, .chain = chain, .instruction = instruction};
            reused.push_back(other);
        }
    };
    auto part = parts.lower_bound({arena, begin});
    if (part != parts.begin() && std::prev(part)->first.first == arena &&
        std::prev(part)->second.end > begin) {
        const auto before = std::prev(part);
        evict(before->second.storage);
        if (before->second.end > end) {
            parts[{arena, end}] = before->second;
        }
        before->second.end = begin;
    }
    part = parts.lower_bound({arena, begin});
    while (part != parts.end() && part->first.first == arena && part->first.second < end) {
        const Part old = part->second;
        evict(old.storage);
        part = parts.erase(part);
        if (old.end > end) {
            parts[{arena, end}] = old;
            break;
        }
    }
    parts[{arena, begin}] = {.end = end, .storage = index};
}

}  // namespace et::tasks
