#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// Chat templates: the subset of the Jinja language (https://jinja.palletsprojects.com) used by language
/// models, with the settings of Hugging Face's library.
namespace et::inspector::tokenizers::detail::jinja {

class Value;
struct MacroNode;

using List = std::vector<Value>;
/// Dictionary in insertion order.
struct Dict {
    std::vector<std::pair<std::string, Value>> entries;
    bool isNamespace = false;  ///< created by namespace(): entries are mutable

    [[nodiscard]] const Value* find(std::string_view key) const;
    void set(std::string_view key, Value value);
};

/// Value of an undefined name; any use other than printing or testing it is an error.
struct Undefined {
    std::string name;
};
struct None {};

/// A value of the language. Lists and dictionaries are shared and never cyclic, because no value can contain
/// a namespace and only namespaces are mutable.
class Value {
  public:
    using Content = std::variant<Undefined, None, bool, std::int64_t, double, std::string,
                                 std::shared_ptr<const List>, std::shared_ptr<Dict>, const MacroNode*>;

    Value() = default;
    template <class T>
        requires(!std::is_same_v<std::remove_cvref_t<T>, Value> && std::is_constructible_v<Content, T>)
    Value(T&& from) : content(std::forward<T>(from)) {}  // NOLINT(google-explicit-constructor): a literal

    [[nodiscard]] static Value list(List items) {
        return Value(std::shared_ptr<const List>(std::make_shared<List>(std::move(items))));
    }
    [[nodiscard]] static Value dict(Dict entries) {
        return Value(std::make_shared<Dict>(std::move(entries)));
    }

    template <class T>
    [[nodiscard]] const T* as() const {
        return std::get_if<T>(&content);
    }
    [[nodiscard]] const List* items() const;
    [[nodiscard]] Dict* entries() const;
    [[nodiscard]] bool isUndefined() const { return as<Undefined>() != nullptr; }
    [[nodiscard]] bool isNamespace() const;
    [[nodiscard]] bool isTrue() const;
    /// The value of a bool (0 or 1), an integer or a float.
    [[nodiscard]] std::optional<double> number() const;
    /// The value of a bool or an integer.
    [[nodiscard]] std::optional<std::int64_t> integer() const;
    /// "string", "list", ...: for messages.
    [[nodiscard]] std::string_view kind() const;

  private:
    Content content;
};

/// Resource limits of a template, which is untrusted because it comes with a model.
struct Budget {
    std::uint64_t steps = 1'000'000;                 ///< evaluated expressions and statements
    std::uint64_t bytes = std::uint64_t{256} << 20;  ///< of texts created or copied

    /// Errors: Limit.
    [[nodiscard]] core::Result<> step(std::uint64_t count = 1);
    [[nodiscard]] core::Result<> take(std::uint64_t count);
};

/// As Python's str(): "True", "None", "[1, 'a']"; empty for an undefined value. Errors: Limit (nested too
/// deeply).
[[nodiscard]] core::Result<std::string> textOf(const Value& value, Budget& budget);
/// As Python's json.dumps() with ensure_ascii=False. `indent`: spaces per level; nothing: one line. Errors:
/// Format (a value not representable in JSON), Limit (nested too deeply).
[[nodiscard]] core::Result<std::string> jsonOf(const Value& value, std::optional<std::size_t> indent,
                                               Budget& budget);
/// Errors: Limit (nested too deeply).
[[nodiscard]] core::Result<bool> equal(const Value& a, const Value& b, Budget& budget);
/// Returns a negative number, 0 or a positive number. Errors: Format (values without an order).
[[nodiscard]] core::Result<int> compare(const Value& a, const Value& b);
/// `item in container`. Errors: Format (not a container), Limit.
[[nodiscard]] core::Result<bool> contains(const Value& container, const Value& item, Budget& budget);

}  // namespace et::inspector::tokenizers::detail::jinja
