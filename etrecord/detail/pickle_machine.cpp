#include "etrecord/detail/pickle_machine.h"

#include <algorithm>
#include <array>
#include <utility>

namespace et::etrecord::detail {

using core::ErrorCode;
using core::Result;

Result<> PickleMachine::push(PickleValue value) {
    if (pickle.values.size() >= limits.values) {
        return error(ErrorCode::Limit, fmt::format("more than {} values", limits.values));
    }
    stack.push_back(static_cast<PickleId>(pickle.values.size()));
    pickle.values.push_back(std::move(value));
    return {};
}

Result<> PickleMachine::pushStackGlobal() {
    ET_ASSIGN(const PickleId global, popValue());
    ET_ASSIGN(const PickleId module, popValue());
    const auto* globalText = pickle.get<std::string_view>(global);
    const auto* moduleText = pickle.get<std::string_view>(module);
    if (globalText == nullptr || moduleText == nullptr) {
        return error(ErrorCode::Format, "expected strings for a global's module and name");
    }
    return push(PickleGlobal{.module = *moduleText, .name = *globalText});
}

Result<> PickleMachine::pushPersistent() {
    ET_ASSIGN(const PickleId id, popValue());
    return push(PicklePersistent{id});
}

Result<> PickleMachine::mark() {
    if (marks.size() >= limits.marks) {
        return error(ErrorCode::Limit, fmt::format("more than {} open marks", limits.marks));
    }
    marks.push_back(stack.size());
    return {};
}

Result<PickleId> PickleMachine::popValue() {
    if (stack.size() <= (marks.empty() ? 0 : marks.back())) {
        return underflow();
    }
    const PickleId value = stack.back();
    stack.pop_back();
    return value;
}

Result<std::vector<PickleId>> PickleMachine::popToMark() {
    if (marks.empty()) {
        return error(ErrorCode::Format, "expected an open mark");
    }
    const auto first = stack.begin() + static_cast<std::ptrdiff_t>(marks.back());
    std::vector<PickleId> values(first, stack.end());
    stack.erase(first, stack.end());
    marks.pop_back();
    return values;
}

Result<> PickleMachine::pop() {
    if (!marks.empty() && marks.back() == stack.size()) {
        marks.pop_back();
        return {};
    }
    return popValue().transform([](PickleId) {});
}

Result<> PickleMachine::popMark() {
    return popToMark().transform([](const std::vector<PickleId>&) {});
}

Result<> PickleMachine::duplicate() {
    ET_ASSIGN(const PickleId value, popValue());
    stack.insert(stack.end(), {value, value});
    return {};
}

Result<> PickleMachine::tupleFromMark() {
    ET_ASSIGN(std::vector<PickleId> items, popToMark());
    return push(PickleTuple{std::move(items)});
}

Result<> PickleMachine::listFromMark() {
    ET_ASSIGN(std::vector<PickleId> items, popToMark());
    return push(PickleList{std::move(items)});
}

Result<> PickleMachine::dictFromMark() {
    ET_ASSIGN(const std::vector<PickleId> items, popToMark());
    ET_TRY(push(PickleDict{}));
    return addMembers(stack.back(), items);
}

/// The value below the one just popped, which is modified in place and stays on the stack.
Result<PickleId> PickleMachine::topContainer() {
    if (stack.size() <= (marks.empty() ? 0 : marks.back())) {
        return underflow();
    }
    return stack.back();
}

Result<> PickleMachine::addItems(PickleId container, std::span<const PickleId> items) {
    PickleValue& value = pickle.values[container];
    auto* list = std::get_if<PickleList>(&value);
    auto* object = std::get_if<PickleCall>(&value);
    if (list == nullptr && object == nullptr) {
        return error(ErrorCode::Format, "append to a value that is not a list");
    }
    auto& target = list != nullptr ? list->items : object->items;
    target.insert(target.end(), items.begin(), items.end());
    return {};
}

Result<> PickleMachine::addMembers(PickleId container, std::span<const PickleId> keysAndValues) {
    PickleValue& value = pickle.values[container];
    auto* dict = std::get_if<PickleDict>(&value);
    auto* object = std::get_if<PickleCall>(&value);
    if ((dict == nullptr && object == nullptr) || keysAndValues.size() % 2 != 0) {
        return error(ErrorCode::Format, "expected key-value pairs for a dictionary");
    }
    auto& target = dict != nullptr ? dict->items : object->members;
    for (std::size_t i = 0; i < keysAndValues.size(); i += 2) {
        target.emplace_back(keysAndValues[i], keysAndValues[i + 1]);
    }
    return {};
}

Result<> PickleMachine::append() {
    ET_ASSIGN(const PickleId item, popValue());
    ET_ASSIGN(const PickleId container, topContainer());
    return addItems(container, std::span(&item, 1));
}

Result<> PickleMachine::appends() {
    ET_ASSIGN(const std::vector<PickleId> items, popToMark());
    ET_ASSIGN(const PickleId container, topContainer());
    return addItems(container, items);
}

Result<> PickleMachine::setItem() {
    ET_ASSIGN(const PickleId value, popValue());
    ET_ASSIGN(const PickleId key, popValue());
    ET_ASSIGN(const PickleId container, topContainer());
    return addMembers(container, std::array{key, value});
}

Result<> PickleMachine::setItems() {
    ET_ASSIGN(const std::vector<PickleId> items, popToMark());
    ET_ASSIGN(const PickleId container, topContainer());
    return addMembers(container, items);
}

Result<> PickleMachine::makeCall(PickleId callable, PickleId arguments) {
    const auto* global = pickle.get<PickleGlobal>(callable);
    if (global == nullptr || pickle.get<PickleTuple>(arguments) == nullptr) {
        return error(ErrorCode::Format, "expected a call of a global with a tuple of arguments");
    }
    const bool known = std::ranges::any_of(callables, [&](const PickleCallable& each) {
        return each.module == global->module && each.name == global->name;
    });
    if (!known) {
        return error(ErrorCode::Unsupported,
                     fmt::format("refused to call \"{}.{}\"", global->module, global->name));
    }
    return push(PickleCall{.callable = callable, .arguments = arguments});
}

Result<> PickleMachine::call() {
    ET_ASSIGN(const PickleId arguments, popValue());
    ET_ASSIGN(const PickleId callable, popValue());
    return makeCall(callable, arguments);
}

Result<> PickleMachine::callWithKeywords() {
    ET_ASSIGN(const PickleId keywords, popValue());
    ET_TRY(call());
    std::get<PickleCall>(pickle.values[stack.back()]).state = keywords;
    return {};
}

Result<> PickleMachine::build() {
    ET_ASSIGN(const PickleId state, popValue());
    ET_ASSIGN(const PickleId object, topContainer());
    auto* made = std::get_if<PickleCall>(&pickle.values[object]);
    if (made == nullptr) {
        return error(ErrorCode::Format, "sets the state of a value that is not an object");
    }
    made->state = state;
    return {};
}

Result<> PickleMachine::remember(std::uint64_t key) {
    ET_ASSIGN(const PickleId value, topContainer());
    memo.insert_or_assign(key, value);
    if (memo.size() > limits.values) {
        return error(ErrorCode::Limit, fmt::format("more than {} memoized values", limits.values));
    }
    return {};
}

Result<> PickleMachine::memoize() {
    return remember(memo.size());
}

Result<> PickleMachine::stop() {
    ET_ASSIGN(pickle.root, popValue());
    done = true;
    return {};
}

}  // namespace et::etrecord::detail
