#include "runtime/builder/program_draft.h"

#include "runtime/builder/detail/pytree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

namespace et::builder {

using core::ErrorCode;
using core::fail;
using core::Result;
using program::InitialData;
using program::TensorInfo;
using program::ValueId;

namespace {

template <class Function>
void forEachTensor(ProgramContent& content, const Function& function) {
    for (program::Method& method : content.methods) {
        for (program::Value& value : method.values) {
            if (auto* const tensor = value.as<TensorInfo>()) {
                function(method, *tensor);
            }
        }
    }
}

[[nodiscard]] bool isConstant(const TensorInfo& tensor) {
    return !tensor.allocation && tensor.initialData == InitialData::Program;
}

/// Values that are referenced.
class UsedValues {
  public:
    explicit UsedValues(const program::Method& of) : method(of), used(of.values.size()) {
        add(method.inputs);
        add(method.outputs);
        for (const program::Chain& chain : method.chains) {
            add(chain.inputs);
            add(chain.outputs);
            for (const program::Instruction& instruction : chain.instructions) {
                std::visit(*this, instruction);
            }
        }
    }
    [[nodiscard]] bool has(std::size_t value) const { return used[value]; }

    void operator()(const program::KernelCall& call) { add(call.args); }
    void operator()(const program::DelegateCall& call) { add(call.args); }
    void operator()(const program::MoveCall& call) {
        add(call.from);
        add(call.to);
    }
    void operator()(const program::JumpFalseCall& call) { add(call.condition); }
    void operator()(const program::FreeCall& call) { add(call.value); }

  private:
    void add(const std::vector<ValueId>& ids) {
        for (const ValueId id : ids) {
            add(id);
        }
    }
    /// Lists include their items, which are not lists.
    void add(ValueId id) {
        if (used[id.value]) {
            return;
        }
        used[id.value] = true;
        const program::Value& value = method.value(id);
        if (const auto* const numbers = value.as<program::IntList>()) {
            add(numbers->items);
        } else if (const auto* const tensors = value.as<program::TensorList>()) {
            add(tensors->items);
        } else if (const auto* const some = value.as<program::OptionalTensorList>()) {
            for (const std::optional<ValueId>& item : some->items) {
                if (item) {
                    used[item->value] = true;
                }
            }
        }
    }

    const program::Method& method;
    std::vector<bool> used;
};

/// Operators and delegates called by instructions, renumbered in table order.
class UsedTables {
  public:
    explicit UsedTables(program::Method& of) : method(of) {}

    void drop() {
        forEachCall([this](auto& call) { note(call); });
        renumber(operators, method.operators);
        renumber(delegates, method.delegates);
        forEachCall([this](auto& call) { update(call); });
    }

  private:
    using Numbers = std::map<std::uint32_t, std::uint32_t>;

    template <class Function>
    void forEachCall(const Function& function) {
        for (program::Chain& chain : method.chains) {
            for (program::Instruction& instruction : chain.instructions) {
                if (auto* const kernel = std::get_if<program::KernelCall>(&instruction)) {
                    function(*kernel);
                } else if (auto* const delegate = std::get_if<program::DelegateCall>(&instruction)) {
                    function(*delegate);
                }
            }
        }
    }
    void note(const program::KernelCall& call) { operators[call.op.value] = 0; }
    void note(const program::DelegateCall& call) { delegates[call.delegate.value] = 0; }
    void update(program::KernelCall& call) { call.op = program::OperatorId(operators[call.op.value]); }
    void update(program::DelegateCall& call) {
        call.delegate = program::DelegateId(delegates[call.delegate.value]);
    }
    template <class Entry>
    static void renumber(Numbers& used, std::vector<Entry>& table) {
        std::vector<Entry> kept;
        for (auto& [old, now] : used) {
            now = static_cast<std::uint32_t>(kept.size());
            kept.push_back(std::move(table[old]));
        }
        table = std::move(kept);
    }

    program::Method& method;
    Numbers operators;  ///< by old id
    Numbers delegates;
};

/// Unique names for external data: equal bytes share a name, different bytes never do.
class DataNames {
  public:
    explicit DataNames(std::deque<std::string>& store) : texts(store) {}

    /// Sets `name` to the final name of the data; true if that is new.
    bool give(std::string_view& name, core::Bytes data) {
        const std::string wanted(name);
        for (std::size_t copy = 0;; ++copy) {
            const std::string text = copy == 0 ? wanted : fmt::format("{}#{}", wanted, copy + 1);
            const auto [found, isNew] = taken.try_emplace(text, data);
            if (isNew || std::ranges::equal(found->second, data)) {
                texts.push_back(text);
                name = texts.back();
                return isNew;
            }
        }
    }

  private:
    std::deque<std::string>& texts;
    std::map<std::string, core::Bytes> taken;
};

program::TensorLayout layoutOf(const TensorInfo& tensor) {
    return {.scalarType = tensor.scalarType,
            .sizes = tensor.sizes,
            .dimOrder = tensor.dimOrder,
            .byteSize = tensor.byteSize};
}

Result<> checkLayout(const TensorInfo& tensor, const program::TensorDataEntry& entry,
                     const program::TensorData& file) {
    const auto& layout = entry.layout;
    if (layout && (layout->scalarType != tensor.scalarType || layout->sizes != tensor.sizes ||
                   layout->dimOrder != tensor.dimOrder)) {
        return fail(ErrorCode::Format,
                    fmt::format("expected dtype {}, sizes [{}] and dim order [{}] as in the program, got "
                                "dtype {}, [{}] and [{}]",
                                tensor.scalarType, fmt::join(tensor.sizes, ", "),
                                fmt::join(tensor.dimOrder, ", "), layout->scalarType,
                                fmt::join(layout->sizes, ", "), fmt::join(layout->dimOrder, ", ")),
                    {.file = file.file->name(), .field = std::string(entry.name)});
    }
    const auto wanted = static_cast<std::uint64_t>(tensor.byteSize.value_or(0));
    if (!tensor.byteSize || entry.data.size() < wanted) {
        return fail(ErrorCode::Format,
                    fmt::format("expected {} bytes as in the program, got {}", wanted, entry.data.size()),
                    {.file = file.file->name(), .field = std::string(entry.name)});
    }
    return {};
}

}  // namespace

ProgramDraft::ProgramDraft(std::shared_ptr<const program::Program> program)
    : source(std::move(program)),
      changed{.version = source->version,
              .methods = source->methods,
              .namedData = source->namedData,
              .constants =
                  source->inlineConstants.empty() ? ConstantStorage::Segment : ConstantStorage::Flatbuffer} {
}

Result<DraftChange> ProgramDraft::keepMethods(std::span<const std::string> names) {
    for (const std::string& name : names) {
        if (source->findMethod(name) == nullptr) {
            std::vector<std::string_view> there;
            std::ranges::transform(source->methods, std::back_inserter(there), &program::Method::name);
            return fail(ErrorCode::NotFound,
                        fmt::format("no method \"{}\"; the program has {}", core::printable(name),
                                    core::printable(fmt::format("{}", fmt::join(there, ", ")))),
                        {.file = source->file->name()});
        }
    }
    const std::size_t before = changed.methods.size();
    std::erase_if(changed.methods, [&](const program::Method& method) {
        return std::ranges::find(names, method.name) == names.end();
    });
    return DraftChange{.count = before - changed.methods.size()};
}

void ProgramDraft::setOnlyMethod(program::Method part) {
    part.inputTree = texts.emplace_back(detail::flatInputTree(part.inputs.size()));
    part.outputTree = texts.emplace_back(detail::flatOutputTree(part.outputs.size()));
    changed.methods.clear();
    changed.methods.push_back(std::move(part));
}

void ProgramDraft::dropUnusedTables() {
    for (program::Method& method : changed.methods) {
        UsedTables(method).drop();
    }
}

DraftChange ProgramDraft::dropNamedData(const std::function<bool(std::string_view key)>& needed) {
    DraftChange change;
    std::erase_if(changed.namedData, [&](const program::NamedData& entry) {
        const bool goes = !needed(entry.key);
        change.count += goes ? 1 : 0;
        change.bytes += goes ? entry.data.size() : 0;
        return goes;
    });
    return change;
}

DraftChange ProgramDraft::dropNames() {
    DraftChange change;
    forEachTensor(changed, [&](const program::Method&, TensorInfo& tensor) {
        if (tensor.initialData != InitialData::External && !tensor.name.empty()) {
            ++change.count;
            change.bytes += tensor.name.size();
            tensor.name = {};
        }
    });
    return change;
}

DraftChange ProgramDraft::dropUnused() {
    DraftChange change;
    for (program::Method& method : changed.methods) {
        const UsedValues used(method);
        for (std::size_t i = 0; i < method.values.size(); ++i) {
            if (used.has(i) || method.values[i].is<std::monostate>()) {
                continue;
            }
            const auto* const tensor = method.values[i].as<TensorInfo>();
            ++change.count;
            change.bytes += tensor == nullptr ? 0 : tensor->data.size();
            method.values[i] = std::monostate();
        }
    }
    return change;
}

DraftChange ProgramDraft::duplicates() const {
    DraftChange change;
    std::set<const std::byte*> places;
    std::set<std::string_view> contents;
    const auto count = [&](core::Bytes data) {
        if (data.empty() || !places.insert(data.data()).second) {
            return;
        }
        if (!contents.emplace(reinterpret_cast<const char*>(data.data()), data.size()).second) {
            ++change.count;
            change.bytes += data.size();
        }
    };
    for (const program::Method& method : changed.methods) {
        for (const program::Value& value : method.values) {
            if (const auto* const tensor = value.as<TensorInfo>()) {
                count(isConstant(*tensor) ? tensor->data : core::Bytes());
            }
        }
    }
    for (const program::NamedData& each : changed.namedData) {
        count(each.data);
    }
    return change;
}

std::vector<program::TensorDataEntry> ProgramDraft::externalize() {
    std::vector<program::TensorDataEntry> entries;
    DataNames names(texts);
    // Names used by delegates come first.
    for (const program::NamedData& each : changed.namedData) {
        std::string_view name = each.key;
        names.give(name, each.data);
        entries.push_back({.name = name, .segment = {}, .data = each.data, .layout = {}});
    }
    changed.namedData.clear();
    std::size_t unnamed = 0;
    forEachTensor(changed, [&](const program::Method& method, TensorInfo& tensor) {
        if (!isConstant(tensor) || tensor.data.empty()) {
            return;
        }
        std::string_view name = tensor.name;
        std::string made;
        if (name.empty()) {
            made = fmt::format("{}.constant{}", method.name, unnamed++);
            name = made;
        }
        if (names.give(name, tensor.data)) {
            entries.push_back({.name = name, .segment = {}, .data = tensor.data, .layout = layoutOf(tensor)});
        }
        tensor.name = name;
        tensor.initialData = InitialData::External;
        tensor.dataIndex = 1;  // 0 would mean "no data"
        tensor.data = {};
    });
    return entries;
}

Result<DraftChange> ProgramDraft::takeIn(std::span<const std::shared_ptr<const program::TensorData>> files) {
    taken.insert(taken.end(), files.begin(), files.end());
    DraftChange change;
    Result<> result;
    std::set<std::string_view> tensors;
    forEachTensor(changed, [&](const program::Method&, TensorInfo& tensor) {
        if (tensor.initialData != InitialData::External || !result) {
            return;
        }
        tensors.insert(tensor.name);
        for (const auto& file : files) {
            if (const program::TensorDataEntry* const entry = file->find(tensor.name)) {
                result = checkLayout(tensor, *entry, *file);
                if (result) {
                    tensor.data = entry->data.first(static_cast<std::size_t>(*tensor.byteSize));
                    tensor.initialData = InitialData::Program;
                    change.bytes += tensor.data.size();
                    ++change.count;
                }
                return;
            }
        }
        result = fail(ErrorCode::NotFound,
                      fmt::format("no --data file contains \"{}\"", core::printable(tensor.name)),
                      {.file = source->file->name()});
    });
    ET_TRY(std::move(result));
    for (const auto& file : files) {
        for (const program::TensorDataEntry& entry : file->entries) {
            const bool known = std::ranges::contains(changed.namedData, entry.name, &program::NamedData::key);
            if (!tensors.contains(entry.name) && !known) {
                changed.namedData.push_back({.key = entry.name, .segment = {}, .data = entry.data});
                change.bytes += entry.data.size();
                ++change.count;
            }
        }
    }
    return change;
}

}  // namespace et::builder
