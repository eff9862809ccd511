#include "etrecord/pickled_tensors.h"

#include "etrecord/detail/storage_classes.h"
#include "etrecord/pickle.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

namespace et::etrecord {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t maxDepth = 64;                     ///< containers around a tensor
constexpr std::size_t maxVisits = std::size_t{1} << 20;  ///< shared values are visited repeatedly
constexpr std::size_t maxTensors = std::size_t{1} << 16;
constexpr std::size_t maxNameLength = 1024;
constexpr std::size_t maxRank = 64;

/// Meaning of the arguments of a call, by position.
enum class Builds : std::uint8_t {
    Tensor,       ///< storage, offset, sizes, strides, …
    TypedTensor,  ///< like Tensor; the scalar type is argument 6, the storage has none
    MetaTensor,   ///< scalar type, sizes, strides, …; no storage
    First,        ///< the first argument is the object (parameters)
    FromType,     ///< function, type, its arguments, state
    Wrapper,      ///< class, scalar type, sizes, strides, …; the state contains the inner tensors
    Container,    ///< content is in its arguments, items, members and state
    Plain,        ///< contains no tensors
};

struct KnownCall {
    PickleCallable callable;
    Builds builds;
};
/// All calls allowed in an archive. Sources: torch/_utils.py, torch/_tensor.py, torch/serialization.py.
constexpr std::array knownCalls{
    KnownCall{{"torch._utils", "_rebuild_tensor"}, Builds::Tensor},
    KnownCall{{"torch._utils", "_rebuild_tensor_v2"}, Builds::Tensor},
    KnownCall{{"torch._utils", "_rebuild_tensor_v3"}, Builds::TypedTensor},
    KnownCall{{"torch._utils", "_rebuild_qtensor"}, Builds::Tensor},
    KnownCall{{"torch._utils", "_rebuild_meta_tensor_no_storage"}, Builds::MetaTensor},
    KnownCall{{"torch._utils", "_rebuild_parameter"}, Builds::First},
    KnownCall{{"torch._utils", "_rebuild_parameter_with_state"}, Builds::First},
    KnownCall{{"torch._utils", "_rebuild_sparse_tensor"}, Builds::Container},
    KnownCall{{"torch._utils", "_rebuild_wrapper_subclass"}, Builds::Wrapper},
    KnownCall{{"torch._tensor", "_rebuild_from_type"}, Builds::FromType},
    KnownCall{{"torch._tensor", "_rebuild_from_type_v2"}, Builds::FromType},
    KnownCall{{"collections", "OrderedDict"}, Builds::Container},
    KnownCall{{"collections", "defaultdict"}, Builds::Container},
    KnownCall{{"builtins", "set"}, Builds::Container},
    KnownCall{{"__builtin__", "set"}, Builds::Container},
    KnownCall{{"builtins", "complex"}, Builds::Plain},
    KnownCall{{"__builtin__", "complex"}, Builds::Plain},
    KnownCall{{"_codecs", "encode"}, Builds::Plain},
    KnownCall{{"torch", "Size"}, Builds::Plain},
    KnownCall{{"torch", "device"}, Builds::Plain},
    KnownCall{{"torch.serialization", "_get_layout"}, Builds::Plain},
};
constexpr auto callables = [] {
    std::array<PickleCallable, knownCalls.size()> names{};
    std::ranges::transform(knownCalls, names.begin(), &KnownCall::callable);
    return names;
}();

/// Traverses a pickle and collects its tensors.
class Lister {
  public:
    Lister(const Pickle& parsed, std::string_view fieldName) : pickle(parsed), field(fieldName) {}

    Result<std::vector<TorchTensor>> run();

  private:
    /// A value to visit, with its path.
    struct Step {
        PickleId id;
        std::string name;
        std::size_t depth;
    };

    [[nodiscard]] std::unexpected<core::Error> error(ErrorCode code, const std::string& at,
                                                     std::string_view message) const {
        return fail(code, fmt::format("tensor \"{}\": {}", at, message), {.field = std::string(field)});
    }

    Result<> visit(const Step& step);
    Result<> visitCall(const Step& step, const PickleCall& call);
    Result<> visitKnown(const Step& step, Builds builds, std::span<const PickleId> arguments);
    Result<> addTensor(const Step& step, Builds builds, std::span<const PickleId> arguments);
    Result<> readStorage(const Step& step, PickleId id, TorchTensor& tensor) const;
    Result<std::vector<std::int64_t>> readNumbers(const Step& step, PickleId id) const;
    [[nodiscard]] std::int8_t readScalarType(PickleId id) const;
    [[nodiscard]] const KnownCall* knownCall(PickleId callable) const;
    [[nodiscard]] std::string keyText(PickleId id) const;

    Result<> push(const Step& from, PickleId id, std::string_view suffix);
    Result<> pushItems(const Step& step, std::span<const PickleId> items);
    Result<> pushMembers(const Step& step, std::span<const std::pair<PickleId, PickleId>> members);

    const Pickle& pickle;
    std::string_view field;
    std::vector<Step> next;     ///< found while visiting one value, in order
    std::vector<Step> pending;  ///< stack; the next one last
    std::vector<TorchTensor> found;
};

Result<std::vector<TorchTensor>> Lister::run() {
    pending.push_back({.id = pickle.root, .name = {}, .depth = 0});
    for (std::size_t visits = 0; !pending.empty(); ++visits) {
        const Step step = std::move(pending.back());
        pending.pop_back();
        if (visits >= maxVisits) {
            return error(ErrorCode::Limit, step.name, fmt::format("more than {} values", maxVisits));
        }
        ET_TRY(visit(step));
        pending.insert(pending.end(), std::make_move_iterator(next.rbegin()),
                       std::make_move_iterator(next.rend()));
        next.clear();
    }
    return std::move(found);
}

Result<> Lister::push(const Step& from, PickleId id, std::string_view suffix) {
    if (from.depth >= maxDepth) {
        return error(ErrorCode::Limit, from.name, fmt::format("nested deeper than {}", maxDepth));
    }
    if (from.name.size() + suffix.size() > maxNameLength) {
        return error(ErrorCode::Limit, from.name, fmt::format("a name longer than {}", maxNameLength));
    }
    if (next.size() + pending.size() >= maxVisits) {
        return error(ErrorCode::Limit, from.name, fmt::format("more than {} values", maxVisits));
    }
    next.push_back({.id = id, .name = from.name + std::string(suffix), .depth = from.depth + 1});
    return {};
}

Result<> Lister::pushItems(const Step& step, std::span<const PickleId> items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        ET_TRY(push(step, items[i], fmt::format("[{}]", i)));
    }
    return {};
}

Result<> Lister::pushMembers(const Step& step, std::span<const std::pair<PickleId, PickleId>> members) {
    for (const auto& [key, value] : members) {
        ET_TRY(push(step, value, (step.name.empty() ? "" : ".") + keyText(key)));
    }
    return {};
}

std::string Lister::keyText(PickleId id) const {
    if (const auto* text = pickle.get<std::string_view>(id)) {
        return std::string(*text);
    }
    const auto* number = pickle.get<std::int64_t>(id);
    return number != nullptr ? std::to_string(*number) : "?";
}

Result<> Lister::visit(const Step& step) {
    if (const auto* list = pickle.get<PickleList>(step.id)) {
        return pushItems(step, list->items);
    }
    if (const auto* tuple = pickle.get<PickleTuple>(step.id)) {
        return pushItems(step, tuple->items);
    }
    if (const auto* dict = pickle.get<PickleDict>(step.id)) {
        return pushMembers(step, dict->items);
    }
    if (const auto* call = pickle.get<PickleCall>(step.id)) {
        return visitCall(step, *call);
    }
    return {};  // plain values, globals and standalone storages contain no tensors
}

Result<> Lister::visitCall(const Step& step, const PickleCall& call) {
    ET_TRY(pushItems(step, call.items));
    ET_TRY(pushMembers(step, call.members));
    const KnownCall* known = knownCall(call.callable);
    const auto* arguments = pickle.get<PickleTuple>(call.arguments);
    if (known == nullptr || arguments == nullptr) {
        return {};  // rejected by Pickle::parse()
    }
    const bool insideMetadata = known->builds == Builds::Container;
    if (call.state && !insideMetadata) {  // an OrderedDict's state is torch's bookkeeping, not content
        ET_TRY(push(step, *call.state, ""));
    }
    return visitKnown(step, known->builds, arguments->items);
}

Result<> Lister::visitKnown(const Step& step, Builds builds, std::span<const PickleId> arguments) {
    switch (builds) {
        case Builds::Plain:
            return {};
        case Builds::Container:
            return pushItems(step, arguments);
        case Builds::First:
            return arguments.empty() ? Result<>() : push(step, arguments.front(), "");
        case Builds::FromType: {
            const KnownCall* inner = arguments.size() < 3 ? nullptr : knownCall(arguments[0]);
            const auto* innerArguments = inner == nullptr ? nullptr : pickle.get<PickleTuple>(arguments[2]);
            if (innerArguments == nullptr || inner->builds == Builds::FromType) {
                return error(ErrorCode::Unsupported, step.name, "unsupported rebuild function");
            }
            if (arguments.size() > 3) {
                ET_TRY(push(step, arguments[3], ""));
            }
            return visitKnown(step, inner->builds, innerArguments->items);
        }
        default:
            return addTensor(step, builds, arguments);
    }
}

Result<> Lister::addTensor(const Step& step, Builds builds, std::span<const PickleId> arguments) {
    const bool stored = builds == Builds::Tensor || builds == Builds::TypedTensor;
    const std::size_t shift =
        stored || builds == Builds::Wrapper ? 0 : 1;  // a meta tensor has no first argument
    const std::size_t needed = builds == Builds::TypedTensor ? 7 : 4 - shift;
    if (arguments.size() < needed) {
        return error(ErrorCode::Format, step.name,
                     fmt::format("expected at least {} arguments, got {}", needed, arguments.size()));
    }
    if (found.size() >= maxTensors) {
        return error(ErrorCode::Limit, step.name, fmt::format("more than {} tensors", maxTensors));
    }
    TorchTensor tensor;
    tensor.name = step.name;
    ET_ASSIGN(tensor.sizes, readNumbers(step, arguments[2 - shift]));
    ET_ASSIGN(tensor.strides, readNumbers(step, arguments[3 - shift]));
    if (stored) {
        ET_TRY(readStorage(step, arguments[0], tensor));
        const auto* offset = pickle.get<std::int64_t>(arguments[1]);
        if (offset == nullptr || *offset < 0) {
            return error(ErrorCode::Format, step.name, "expected an offset into its storage");
        }
        tensor.storageOffset = *offset;
    }
    if (builds != Builds::Tensor) {
        tensor.scalarType = readScalarType(arguments[builds == Builds::TypedTensor ? 6 : 1 - shift]);
    }
    // The element size is not known for every type, but the product of the sizes must not overflow in any
    // case.
    const std::int8_t sizedType = core::scalarType(tensor.scalarType) ? tensor.scalarType : std::int8_t{0};
    const auto bytes = core::tensorBytes(sizedType, tensor.sizes);
    if (!bytes) {
        return error(ErrorCode::Format, step.name,
                     fmt::format("invalid tensor sizes [{}]", fmt::join(tensor.sizes, ", ")));
    }
    tensor.bytes = stored && sizedType == tensor.scalarType ? *bytes : 0;
    found.push_back(std::move(tensor));
    return {};
}

/// A persistent id ("storage", class, key, location, number of elements).
Result<> Lister::readStorage(const Step& step, PickleId id, TorchTensor& tensor) const {
    const auto* persistent = pickle.get<PicklePersistent>(id);
    const auto* parts = persistent == nullptr ? nullptr : pickle.get<PickleTuple>(persistent->id);
    if (parts == nullptr || parts->items.size() < 3) {
        return error(ErrorCode::Format, step.name, "expected a storage of the archive");
    }
    const auto* tag = pickle.get<std::string_view>(parts->items[0]);
    const auto* storageClass = pickle.get<PickleGlobal>(parts->items[1]);
    const auto* key = pickle.get<std::string_view>(parts->items[2]);
    if (tag == nullptr || *tag != "storage" || storageClass == nullptr || key == nullptr) {
        return error(ErrorCode::Format, step.name, "expected a storage with a class and a key");
    }
    const auto* known =
        std::ranges::find(detail::storageClasses, storageClass->name, &detail::StorageClass::name);
    tensor.scalarType = known == detail::storageClasses.end() ? unknownScalarType : known->scalarType;
    tensor.storageKey = *key;
    return {};
}

Result<std::vector<std::int64_t>> Lister::readNumbers(const Step& step, PickleId id) const {
    const auto* call = pickle.get<PickleCall>(id);  // torch.Size((2, 3))
    const auto* arguments = call == nullptr ? nullptr : pickle.get<PickleTuple>(call->arguments);
    const PickleId listId =
        arguments != nullptr && arguments->items.size() == 1 ? arguments->items.front() : id;
    const auto* tuple = pickle.get<PickleTuple>(listId);
    if (tuple == nullptr || tuple->items.size() > maxRank) {
        return error(ErrorCode::Format, step.name,
                     fmt::format("expected a tuple of at most {} sizes", maxRank));
    }
    std::vector<std::int64_t> numbers;
    for (const PickleId item : tuple->items) {
        const auto* number = pickle.get<std::int64_t>(item);
        if (number == nullptr) {
            return error(ErrorCode::Format, step.name, "expected integer sizes and strides");
        }
        numbers.push_back(*number);
    }
    return numbers;
}

/// A scalar type is a global such as torch.float32.
std::int8_t Lister::readScalarType(PickleId id) const {
    const auto* global = pickle.get<PickleGlobal>(id);
    if (global == nullptr) {
        return unknownScalarType;
    }
    const auto types = core::scalarTypes();
    const auto known = std::ranges::find(types, global->name, &core::ScalarTypeInfo::torchName);
    return known == types.end() ? unknownScalarType : known->code;
}

const KnownCall* Lister::knownCall(PickleId callable) const {
    const auto* global = pickle.get<PickleGlobal>(callable);
    if (global == nullptr) {
        return nullptr;
    }
    const auto* known = std::ranges::find_if(knownCalls, [&](const KnownCall& each) {
        return each.callable.module == global->module && each.callable.name == global->name;
    });
    return known == knownCalls.end() ? nullptr : known;
}
}  // namespace

Result<std::vector<TorchTensor>> listPickledTensors(core::Bytes bytes, std::string_view name) {
    ET_ASSIGN(const Pickle pickle, Pickle::parse(bytes, name, callables));
    return Lister(pickle, name).run();
}

}  // namespace et::etrecord
