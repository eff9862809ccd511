#include "inspector/fit/kernel_use.h"

#include "runtime/core/scalar_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using core::ScalarType;

constexpr std::string_view keyVersion = "v1/";

/// Reads the arguments that an instruction passes to its operator.
class CallReader {
  public:
    explicit CallReader(const program::Method& from) : method(from) {}

    KernelUse read(const program::KernelCall& call) {
        for (const program::ValueId id : call.args) {
            method.value(id).visit([&](const auto& content) { note(content); });
        }
        use.key = kernelKey(plain);
        use.listedKey = kernelKey(all);
        return std::move(use);
    }

  private:
    void note(const program::TensorInfo& tensor) {
        plain.push_back(&tensor);
        list(tensor);
    }
    void note(const program::TensorList& tensors) {
        for (const program::ValueId item : tensors.items) {
            listItem(item);
        }
    }
    void note(const program::OptionalTensorList& tensors) {
        for (const auto& item : tensors.items) {
            if (item) {
                listItem(*item);
            }
        }
    }
    void note(std::int64_t /*number*/) { number(ScalarType::Long); }
    void note(double /*number*/) { number(ScalarType::Double); }
    void note(bool /*number*/) { number(ScalarType::Bool); }
    template <class Other>
    void note(const Other& /*no tensor*/) {}

    void number(ScalarType type) { use.numbers.insert(static_cast<std::int8_t>(type)); }
    void listItem(program::ValueId id) {
        if (const auto* const tensor = method.value(id).as<program::TensorInfo>()) {
            list(*tensor);
        }
    }
    void list(const program::TensorInfo& tensor) {
        all.push_back(&tensor);
        use.dtypes.insert(tensor.scalarType);
    }

    const program::Method& method;
    std::vector<const program::TensorInfo*> plain;
    std::vector<const program::TensorInfo*> all;
    KernelUse use;
};

}  // namespace

std::string kernelKey(const std::vector<const program::TensorInfo*>& tensors) {
    std::string out;
    for (const program::TensorInfo* const tensor : tensors) {
        out += fmt::format("{}{};{}", out.empty() ? keyVersion : "|", tensor->scalarType,
                           fmt::join(tensor->dimOrder, ","));
    }
    return out;
}

std::optional<std::set<std::int8_t>> dtypesOfKey(std::string_view key) {
    const std::size_t slash = key.find('/');
    if (slash == std::string_view::npos || !key.starts_with('v')) {
        return std::nullopt;
    }
    std::set<std::int8_t> out;
    for (std::string_view rest = key.substr(slash + 1); !rest.empty();) {
        const std::string_view tensor = rest.substr(0, rest.find('|'));
        rest.remove_prefix(std::min(tensor.size() + 1, rest.size()));
        const std::string_view number = tensor.substr(0, tensor.find(';'));
        std::int8_t code = 0;
        const char* const end = number.data() + number.size();
        const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), code);
        if (error != std::errc() || stop != end || code < 0) {
            return std::nullopt;
        }
        out.insert(code);
    }
    return out;
}

std::vector<OperatorUse> operatorsOf(const program::Method& method) {
    std::map<std::string, std::map<std::pair<std::string, std::set<std::int8_t>>, KernelUse>> found;
    for (const program::Chain& chain : method.chains) {
        for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
            const auto* const call = std::get_if<program::KernelCall>(&chain.instructions[i]);
            if (call == nullptr) {
                continue;
            }
            KernelUse use = CallReader(method).read(*call);
            auto& same = found[method.op(call->op).fullName()];
            auto& known =
                same.try_emplace({use.listedKey + "/" + use.key, use.numbers}, std::move(use)).first->second;
            known.instructions.emplace_back(static_cast<std::int32_t>(i));
        }
    }
    std::vector<OperatorUse> out;
    for (auto& [name, uses] : found) {
        OperatorUse& entry = out.emplace_back(OperatorUse{.name = name});
        for (auto& [key, use] : uses) {
            entry.uses.push_back(std::move(use));
        }
    }
    return out;
}

}  // namespace et::inspector
