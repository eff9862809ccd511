#include "inspector/tokenizers/detail/jinja_run.h"

#include "inspector/tokenizers/detail/jinja_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace et::inspector::tokenizers::detail::jinja {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t mostCalls = 32;  ///< maximum nesting depth of macro calls

enum class Flow : std::uint8_t { Next, Break, Continue };

class Run {
  public:
    explicit Run(const Dict& given) {
        scopes.push_back(given);
        scopes.emplace_back();
    }

    Result<Flow> all(const Body& body);
    std::string out;

  private:
    Result<Value> eval(const Expr& expr);
    Result<Value> evalOf(const Expr& expr);
    Result<Value> evalBoth(const Expr& expr);
    Result<Value> evalContainer(const Expr& expr);
    Result<Value> evalCall(const Expr& expr);
    Result<Value> callMacro(const MacroNode& macro, const Arguments& arguments);
    Result<Arguments> argumentsOf(const Expr& expr);
    Result<Flow> one(const Node& node);
    Result<Flow> runIf(const Node& node);
    Result<Flow> runFor(const Node& node);
    Result<> set(const Node& node, const Value& value);
    Result<> assign(const std::vector<std::string>& names, const Value& value);
    Result<std::string> captured(const Body& body);
    [[nodiscard]] Value lookUp(const std::string& name) const;

    std::vector<Dict> scopes;  ///< the given values, the template's own, and one scope per loop
    Budget budget;
    std::size_t calls = 0;
};

Value Run::lookUp(const std::string& name) const {
    for (std::size_t at = scopes.size(); at-- > 0;) {
        if (const Value* found = scopes[at].find(name)) {
            return *found;
        }
    }
    return Value(Undefined{name});
}

/// Adds the line of the innermost failing expression to errors.
Result<Value> Run::eval(const Expr& expr) {
    auto value = budget.step().and_then([&] { return evalOf(expr); });
    if (const auto* text = value ? value->as<std::string>() : nullptr) {
        if (auto taken = budget.take(text->size()); !taken) {
            value = std::unexpected(std::move(taken).error());
        }
    }
    if (!value && value.error().where.field.empty()) {
        return templateError(value.error().code, value.error().message, expr.line);
    }
    return value;
}

Result<Value> Run::evalOf(const Expr& expr) {
    switch (expr.kind) {
        case ExprKind::Literal:
            return expr.literal;
        case ExprKind::Name:
            return lookUp(expr.text);
        case ExprKind::List:
        case ExprKind::Dict:
            return evalContainer(expr);
        case ExprKind::Call:
            return evalCall(expr);
        case ExprKind::Condition: {
            ET_ASSIGN(const Value condition, eval(*expr.parts[0]));
            const ExprPtr& branch = expr.parts[condition.isTrue() ? 1 : 2];
            return branch == nullptr ? Value(Undefined{"if without else"}) : eval(*branch);
        }
        case ExprKind::And:
        case ExprKind::Or: {
            ET_ASSIGN(Value left, eval(*expr.parts[0]));
            return left.isTrue() == (expr.kind == ExprKind::Or) ? std::move(left) : eval(*expr.parts[1]);
        }
        default:
            return evalBoth(expr);
    }
}

/// Evaluates expressions whose first operand is always evaluated.
Result<Value> Run::evalBoth(const Expr& expr) {
    ET_ASSIGN(const Value of, eval(*expr.parts[0]));
    switch (expr.kind) {
        case ExprKind::Attribute:
            return attribute(of, Value(expr.text));
        case ExprKind::Item: {
            ET_ASSIGN(const Value key, eval(*expr.parts[1]));
            return attribute(of, key);
        }
        case ExprKind::Slice: {
            std::vector<Value> bounds(3);
            for (std::size_t i = 0; i < bounds.size(); ++i) {
                if (expr.parts[i + 1] != nullptr) {
                    ET_ASSIGN(bounds[i], eval(*expr.parts[i + 1]));
                }
            }
            return slice(of, bounds, budget);
        }
        case ExprKind::Filter: {
            ET_ASSIGN(const Arguments arguments, argumentsOf(expr));
            return filter(expr.text, of, arguments, budget);
        }
        case ExprKind::Test: {
            ET_ASSIGN(const Arguments arguments, argumentsOf(expr));
            ET_ASSIGN(const bool holds, test(expr.text, of, arguments, budget));
            return Value(holds);
        }
        case ExprKind::Unary:
            return expr.text == "not" ? Result<Value>(Value(!of.isTrue()))
                                      : binary(expr.text, Value(std::int64_t{0}), of, budget);
        default: {
            ET_ASSIGN(const Value right, eval(*expr.parts[1]));
            return binary(expr.text, of, right, budget);
        }
    }
}

Result<Value> Run::evalContainer(const Expr& expr) {
    List items;
    for (const ExprPtr& part : expr.parts) {
        ET_ASSIGN(Value item, eval(*part).and_then(held));
        items.push_back(std::move(item));
    }
    if (expr.kind == ExprKind::List) {
        return Value::list(std::move(items));
    }
    Dict dict;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        ET_ASSIGN(const std::string key, textOf(items[i], budget));
        dict.set(key, std::move(items[i + 1]));
    }
    return Value::dict(std::move(dict));
}

Result<Arguments> Run::argumentsOf(const Expr& expr) {
    Arguments arguments;
    const std::size_t firstNamed = expr.parts.size() - expr.keywords.size();
    for (std::size_t i = 1; i < expr.parts.size(); ++i) {
        ET_ASSIGN(Value value, eval(*expr.parts[i]));
        if (i < firstNamed) {
            arguments.all.push_back(std::move(value));
        } else {
            arguments.named.emplace_back(expr.keywords[i - firstNamed], std::move(value));
        }
    }
    return arguments;
}

Result<Value> Run::evalCall(const Expr& expr) {
    const Expr& called = *expr.parts[0];
    ET_ASSIGN(const Arguments arguments, argumentsOf(expr));
    if (called.kind == ExprKind::Attribute) {
        ET_ASSIGN(const Value of, eval(*called.parts[0]));
        return method(called.text, of, arguments, budget);
    }
    ET_ASSIGN(const Value what, eval(called));
    if (const auto* macro = what.as<const MacroNode*>()) {
        return callMacro(**macro, arguments);
    }
    return called.kind == ExprKind::Name && what.isUndefined()
               ? callGlobal(called.text, arguments, budget)
               : fail(ErrorCode::Format, fmt::format("{} cannot be called", what.kind()));
}

/// A macro sees the given values and those set by the template, but not the scope of its call.
Result<Value> Run::callMacro(const MacroNode& macro, const Arguments& arguments) {
    if (calls >= mostCalls) {
        return fail(ErrorCode::Limit, fmt::format("macros are nested more than {} calls deep", mostCalls));
    }
    Dict scope;
    const std::size_t required = macro.parameters.size() - macro.defaults.size();
    for (std::size_t i = 0; i < macro.parameters.size(); ++i) {
        const Value* given = arguments.at(i, macro.parameters[i]);
        Value value = given == nullptr ? Value(Undefined{macro.parameters[i]}) : *given;
        if (given == nullptr && i >= required) {
            ET_ASSIGN(value, eval(*macro.defaults[i - required]));
        }
        scope.set(macro.parameters[i], std::move(value));
    }
    std::vector<Dict> around(std::make_move_iterator(scopes.begin() + 2),
                             std::make_move_iterator(scopes.end()));
    scopes.resize(2);
    scopes.push_back(std::move(scope));
    ++calls;
    auto text = captured(macro.body);
    --calls;
    scopes.resize(2);
    std::ranges::move(around, std::back_inserter(scopes));
    return text.transform([](std::string made) { return Value(std::move(made)); });
}

Result<std::string> Run::captured(const Body& body) {
    std::string outer = std::exchange(out, {});
    const auto done = all(body);
    std::string made = std::exchange(out, std::move(outer));
    return done ? Result<std::string>(std::move(made)) : std::unexpected(done.error());
}

Result<Flow> Run::all(const Body& body) {
    for (const Node& node : body) {
        auto flow = budget.step().and_then([&] { return one(node); });
        if (!flow && flow.error().where.field.empty()) {
            return templateError(flow.error().code, flow.error().message, node.line);
        }
        if (!flow || *flow != Flow::Next) {
            return flow;
        }
    }
    return Flow::Next;
}

Result<Flow> Run::one(const Node& node) {
    switch (node.kind) {
        case NodeKind::Text:
            ET_TRY(budget.take(node.text.size()));
            out += node.text;
            break;
        case NodeKind::Output: {
            ET_ASSIGN(const Value shown, eval(*node.exprs.front()));
            ET_ASSIGN(const std::string text, textOf(shown, budget));
            ET_TRY(budget.take(text.size()));
            out += text;
            break;
        }
        case NodeKind::If:
            return runIf(node);
        case NodeKind::For:
            return runFor(node);
        case NodeKind::Set: {
            ET_ASSIGN(const Value value, eval(*node.exprs.front()));
            ET_TRY(set(node, value));
            break;
        }
        case NodeKind::SetBlock: {
            ET_ASSIGN(std::string text, captured(node.bodies.front()));
            ET_TRY(set(node, Value(std::move(text))));
            break;
        }
        case NodeKind::Macro:
            scopes.back().set(node.macro->name, Value(static_cast<const MacroNode*>(node.macro.get())));
            break;
        case NodeKind::Break:
            return Flow::Break;
        case NodeKind::Continue:
            return Flow::Continue;
    }
    return Flow::Next;
}

Result<Flow> Run::runIf(const Node& node) {
    for (std::size_t i = 0; i < node.exprs.size(); ++i) {
        ET_ASSIGN(const Value condition, eval(*node.exprs[i]));
        if (condition.isTrue()) {
            return all(node.bodies[i]);
        }
    }
    return node.bodies.size() > node.exprs.size() ? all(node.bodies.back()) : Result<Flow>(Flow::Next);
}

/// The variable `loop` of a loop.
Value loopValue(const List& items, std::size_t at) {
    const auto index = static_cast<std::int64_t>(at);
    const auto size = static_cast<std::int64_t>(items.size());
    Dict loop;
    loop.set("index", Value(index + 1));
    loop.set("index0", Value(index));
    loop.set("revindex", Value(size - index));
    loop.set("revindex0", Value(size - index - 1));
    loop.set("first", Value(at == 0));
    loop.set("last", Value(at + 1 == items.size()));
    loop.set("length", Value(size));
    loop.set("previtem", at == 0 ? Value(Undefined{"previtem"}) : items[at - 1]);
    loop.set("nextitem", at + 1 == items.size() ? Value(Undefined{"nextitem"}) : items[at + 1]);
    return Value::dict(std::move(loop));
}

Result<Flow> Run::runFor(const Node& node) {
    ET_ASSIGN(const Value over, eval(*node.exprs[0]));
    ET_ASSIGN(List items, itemsOf(over));
    ET_TRY(budget.step(items.size()));
    if (node.exprs[1] != nullptr) {
        List kept;
        for (Value& item : items) {
            scopes.emplace_back();
            auto holds = assign(node.names, item).and_then([&] { return eval(*node.exprs[1]); });
            scopes.pop_back();
            ET_ASSIGN(const Value condition, std::move(holds));
            if (condition.isTrue()) {
                kept.push_back(std::move(item));
            }
        }
        items = std::move(kept);
    }
    if (items.empty()) {
        return all(node.bodies[1]);
    }
    for (std::size_t at = 0; at < items.size(); ++at) {
        ET_TRY(budget.step());
        scopes.emplace_back();
        scopes.back().set("loop", loopValue(items, at));
        auto flow = assign(node.names, items[at]).and_then([&] { return all(node.bodies[0]); });
        scopes.pop_back();
        if (!flow || *flow == Flow::Break) {
            return flow.transform([](Flow) { return Flow::Next; });
        }
    }
    return Flow::Next;
}

Result<> Run::set(const Node& node, const Value& value) {
    if (node.text.empty()) {
        return assign(node.names, value);
    }
    const Value space = lookUp(node.names.front());
    if (!space.isNamespace()) {
        return fail(ErrorCode::Format,
                    fmt::format("'{}' is not a namespace", core::printable(node.names.front())));
    }
    ET_ASSIGN(Value kept, held(value));
    space.entries()->set(node.text, std::move(kept));
    return {};
}

Result<> Run::assign(const std::vector<std::string>& names, const Value& value) {
    if (names.size() == 1) {
        scopes.back().set(names.front(), value);
        return {};
    }
    ET_ASSIGN(const List items, itemsOf(value));
    if (items.size() != names.size()) {
        return fail(ErrorCode::Format, fmt::format("{} values for {} names", items.size(), names.size()));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        scopes.back().set(names[i], items[i]);
    }
    return {};
}

}  // namespace

Result<std::string> render(const Body& body, const Dict& values) {
    Run run(values);
    ET_TRY(run.all(body));
    return std::move(run.out);
}

}  // namespace et::inspector::tokenizers::detail::jinja
