#pragma once

#include <cstdint>

// Interface between et-inspect and libraries that are compiled with the headers in this folder: plain data
// and functions, so that both sides may have different compilers and standard libraries. The adapter
// (adapter.cpp) implements it for the library; runtime/executor/executorch_plugin.cpp uses it.
namespace et_inspect {

enum : std::uint32_t { pluginVersion = 1 };
enum : std::uint32_t { maxDims = 16 };

/// A tensor argument. The arrays stay at their place between the calls of an instruction.
struct TensorSlot {
    void* data;
    void* tensor;  ///< of the host
    std::int64_t elements;
    std::int64_t capacity;  ///< in elements
    std::int32_t sizes[maxDims];
    std::int32_t strides[maxDims];
    std::uint8_t dimOrder[maxDims];
    std::uint8_t dims;
    std::uint8_t dtype;                     ///< as in program files
    std::uint8_t dynamism;                  ///< 0: fixed, 1: bounded, 2: unbounded
    alignas(8) unsigned char adapted[128];  ///< for the library
};

/// Kinds of arguments, numbered as ExecuTorch's tags.
enum class Kind : std::uint32_t {
    None,
    Tensor,
    String,
    Double,
    Int,
    Bool,
    ListBool,
    ListDouble,
    ListInt,
    ListTensor,
    ListScalar,
    ListOptionalTensor
};

struct ValueSlot {
    Kind kind;
    union {
        std::int64_t integer;
        double number;
        TensorSlot* tensor;
        const void* items;  ///< characters, numbers, or TensorSlot*, which are null for missing tensors
    };
    std::uint64_t count;  ///< of items
};

/// A call of a kernel or delegate. The library may change numbers of `values`.
struct Call {
    void* host;
    const char* method;  ///< null: unknown
    ValueSlot* values;
    std::uint64_t count;
    std::uint32_t debugLevel;  ///< 0: no values, 1: outputs of the method, 2: also intermediate values
    bool isTraced;
    bool isChanged;       ///< set if the library changed a number
    void* adapted;        ///< of the library, kept between calls and freed by Plugin::release()
    const char* message;  ///< set by a call that fails; valid until the thread's next call
};

/// Functions of the host. `host` is that of the current call.
struct Host {
    std::uint32_t version;
    /// Updates the slot. Returns null, or a message that is valid until the thread's next call.
    const char* (*resize)(TensorSlot* slot, const std::int32_t* sizes, std::uint64_t dims);
    /// Memory until the call returns, or until the delegate is destroyed. Null: the limit is reached.
    void* (*allocate)(void* host, bool keep, std::uint64_t bytes, std::uint64_t alignment);
    std::uint64_t (*threads)(void* host);
    void* (*threadPool)(void* host);  ///< a pthreadpool_t, or null
    void (*parallel)(void* host, std::uint64_t items, std::uint64_t grain,
                     void (*work)(void*, std::uint64_t, std::uint64_t), void* context);
    /// An event of a delegate. `name`: null for operators identified by `id`.
    void (*profile)(void* host, const char* name, std::int32_t id, std::uint64_t start, std::uint64_t end,
                    const void* metadata, std::uint64_t bytes);
    /// A value inside a delegate.
    void (*logValue)(void* host, const char* name, std::int32_t id, const ValueSlot* value);
    bool (*findData)(void* host, const char* key, std::uint64_t length, const void** data,
                     std::uint64_t* bytes);
};

struct KernelInfo {
    const char* name;
    std::uint32_t arguments;  ///< of the schema; 0: unknown
    std::uint32_t results;    ///< trailing arguments that are written
};

struct CompileSpecInfo {
    const char* key;
    const void* data;
    std::uint64_t bytes;
};

struct DelegateInput {
    const void* payload;
    std::uint64_t bytes;
    const CompileSpecInfo* specs;
    std::uint64_t specCount;
};

/// Table that the library provides. Functions return an ExecuTorch error code; 0: success.
struct Plugin {
    std::uint32_t version;
    const char* problem;  ///< why its registrations are invalid; null: they are valid
    const KernelInfo* kernels;
    std::uint64_t kernelCount;
    const char* const* backends;
    std::uint64_t backendCount;
    std::uint32_t (*callKernel)(std::uint64_t kernel, Call* call);
    bool (*isAvailable)(std::uint64_t backend);
    std::uint32_t (*init)(std::uint64_t backend, Call* call, const DelegateInput* input, void** handle);
    std::uint32_t (*execute)(std::uint64_t backend, void* handle, Call* call);
    void (*destroy)(std::uint64_t backend, void* handle);
    void (*release)(void* adapted);
};

/// The symbol that the library exports.
#define ET_INSPECT_PLUGIN_SYMBOL et_inspect_executorch_plugin
using PluginEntry = const Plugin* (*)(const Host*);

}  // namespace et_inspect
