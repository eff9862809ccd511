// Entry of the plugin: its registry of kernels and backends, and calls of the host.

#include <et_inspect/adapter.h>
#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/kernel/operator_registry.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et_inspect {
namespace {

using executorch::aten::ArrayRef;
using executorch::aten::Tensor;
using executorch::runtime::Backend;
using executorch::runtime::BackendExecutionContext;
using executorch::runtime::BackendInitContext;
using executorch::runtime::BackendInterface;
using executorch::runtime::CompileSpec;
using executorch::runtime::DelegateHandle;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::Kernel;
using executorch::runtime::KernelRuntimeContext;
using executorch::runtime::OpFunction;
using executorch::runtime::Span;
using executorch::runtime::TensorMeta;

/// An operator, with kernels for some or all dtypes.
struct Operator {
    std::string name;
    std::vector<Kernel> special;
    std::optional<Kernel> general;
};

struct Registry {
    std::vector<Kernel> kernels;
    std::vector<Backend> backends;
    std::string problem;

    // Made for the host.
    std::vector<Operator> operators;
    std::vector<KernelInfo> kernelInfos;
    std::vector<const char*> backendNames;
    Plugin table{};

    void groupKernels();
    void makeTable();
};

Registry& registry() {
    static auto* const all = new Registry;  // static objects of the plugin use it in any order
    return *all;
}

uint32_t failed(Call& call, Error error) {
    if (messages()[0] == '\0') {
        addMessage(executorch::runtime::to_string(error));
    }
    call.message = messages();
    return static_cast<uint32_t>(error);
}

/// Runs a function on behalf of the host; it returns an Error.
template <class Function>
uint32_t guarded(Call& call, Function&& function) {
    const CurrentCall scope(&call);
    forgetMessages();
    Error error = Error::Ok;
#ifdef __cpp_exceptions
    try {
        error = function();
    } catch (const FailedCheck&) {
        error = Error::InvalidState;
    } catch (const std::exception& thrown) {
        addMessage(thrown.what());
        error = Error::Internal;
    } catch (...) {
        addMessage("it threw an exception");
        error = Error::Internal;
    }
#else
    error = function();
#endif
    if (error != Error::Ok) {
        return failed(call, error);
    }
    printMessages();
    return 0;
}

void addKeyOf(const Tensor& tensor, std::string& key) {
    key += key.empty() ? "v1/" : "|";
    key += std::to_string(static_cast<int>(tensor.scalar_type())) + ";";
    for (size_t i = 0; i < tensor.dim_order().size(); ++i) {
        key += (i == 0 ? "" : ",") + std::to_string(tensor.dim_order()[i]);
    }
}

OpFunction choose(const Operator& op, Span<EValue*> stack) {
    if (!op.special.empty()) {
        std::string key;
        for (const EValue* const each : stack) {
            if (each->isTensor()) {
                addKeyOf(each->toTensor(), key);
            }
        }
        for (const Kernel& each : op.special) {
            // Results repeat at the end of an instruction.
            const size_t length = std::strlen(each.kernel_key_.data());
            if (key.compare(0, length, each.kernel_key_.data()) == 0 &&
                (key.size() == length || key[length] == '|')) {
                return each.op_;
            }
        }
        if (!op.general) {
            ET_LOG(Error, "no kernel for these dtypes and dim orders (%s)", key.c_str());
            return nullptr;
        }
    }
    return op.general->op_;
}

uint32_t callKernel(uint64_t number, Call* call) {
    return guarded(*call, [&]() -> Error {
        const Operator& op = registry().operators[number];
        HostAllocator temporary(call->host, false);
        KernelRuntimeContext context(nullptr, &temporary);
        const Span<EValue*> stack = adapt(*call);
        const OpFunction function = choose(op, stack);
        if (function == nullptr) {
            return Error::OperatorMissing;
        }
        function(context, stack);
        if (context.failure_state() == Error::Ok) {
            takeChanges(*call);
        }
        return context.failure_state();
    });
}

/// A delegate of a backend, with what its init() may keep pointers to.
struct Delegate {
    DelegateHandle* handle = nullptr;
    FreeableBuffer payload;
    std::vector<CompileSpec> specs;
    HostAllocator memory;
    HostData data;
    std::string method;
};

bool isAvailable(uint64_t backend) {
    return registry().backends[backend].backend->is_available();
}

uint32_t initDelegate(uint64_t backend, Call* call, const DelegateInput* input, void** handle) {
    return guarded(*call, [&]() -> Error {
        auto* const delegate = new Delegate{nullptr,
                                            FreeableBuffer(input->payload, input->bytes, nullptr),
                                            {},
                                            HostAllocator(call->host, true),
                                            HostData(call->host),
                                            call->method == nullptr ? "" : call->method};
        *handle = delegate;
        for (uint64_t i = 0; i < input->specCount; ++i) {
            const CompileSpecInfo& spec = input->specs[i];
            delegate->specs.push_back({spec.key, {const_cast<void*>(spec.data), spec.bytes}});
        }
        BackendInitContext context(&delegate->memory, nullptr, delegate->method.c_str(), &delegate->data);
        auto made = registry().backends[backend].backend->init(
            context, &delegate->payload,
            ArrayRef<CompileSpec>(delegate->specs.data(), delegate->specs.size()));
        if (!made.ok()) {
            return made.error();
        }
        delegate->handle = *made;
        return Error::Ok;
    });
}

uint32_t executeDelegate(uint64_t backend, void* handle, Call* call) {
    return guarded(*call, [&]() -> Error {
        auto& delegate = *static_cast<Delegate*>(handle);
        HostAllocator temporary(call->host, false);
        std::optional<HostTracer> tracer;
        if (call->isTraced) {
            tracer.emplace(*call);
        }
        BackendExecutionContext context(tracer ? &*tracer : nullptr, &temporary, delegate.method.c_str());
        const Error error =
            registry().backends[backend].backend->execute(context, delegate.handle, adapt(*call));
        if (error == Error::Ok) {
            takeChanges(*call);
        }
        return error;
    });
}

void destroyDelegate(uint64_t backend, void* handle) {
    auto* const delegate = static_cast<Delegate*>(handle);
    if (delegate->handle != nullptr) {
        registry().backends[backend].backend->destroy(delegate->handle);
    }
    delete delegate;
}

void Registry::groupKernels() {
    for (const Kernel& kernel : kernels) {
        Operator* found = nullptr;
        for (Operator& op : operators) {
            found = op.name == kernel.name_ ? &op : found;
        }
        if (found == nullptr) {
            operators.push_back({kernel.name_, {}, {}});
            found = &operators.back();
        }
        if (kernel.kernel_key_.is_fallback()) {
            found->general = kernel;
        } else {
            found->special.push_back(kernel);
        }
    }
}

void Registry::makeTable() {
    groupKernels();
    for (const Operator& op : operators) {
        const auto arguments = op.general ? op.general->arguments_ : 0;
        const auto results = op.general ? op.general->results_ : 0;
        kernelInfos.push_back(
            {op.name.c_str(), static_cast<uint32_t>(arguments), static_cast<uint32_t>(results)});
    }
    for (const Backend& each : backends) {
        backendNames.push_back(each.name);
    }
    table = {pluginVersion,       problem.empty() ? nullptr : problem.c_str(),
             kernelInfos.data(),  kernelInfos.size(),
             backendNames.data(), backendNames.size(),
             &callKernel,         &isAvailable,
             &initDelegate,       &executeDelegate,
             &destroyDelegate,    &releaseValues};
}

}  // namespace
}  // namespace et_inspect

extern "C" __attribute__((visibility("default"))) const et_inspect::Plugin* ET_INSPECT_PLUGIN_SYMBOL(
    const et_inspect::Host* host) {
    et_inspect::setHost(host);
    et_inspect::Registry& all = et_inspect::registry();
    if (all.table.version == 0) {
        all.makeTable();
    }
    return &all.table;
}

namespace executorch::runtime {

using et_inspect::registry;

Error register_kernels(const Span<const Kernel> kernels) {
    for (const Kernel& kernel : kernels) {
        for (const Kernel& known : registry().kernels) {
            if (std::strcmp(known.name_, kernel.name_) == 0 && known.kernel_key_ == kernel.kernel_key_) {
                registry().problem = std::string("it registers two kernels ") + kernel.name_;
                return Error::RegistrationAlreadyRegistered;
            }
        }
        registry().kernels.push_back(kernel);
    }
    return Error::Ok;
}

Span<const Kernel> get_registered_kernels() {
    return {registry().kernels.data(), registry().kernels.size()};
}

Result<OpFunction> get_op_function_from_registry(const char* name, Span<const TensorMeta> meta_list) {
    char key[internal::kKernelKeyBufSize] = "";
    if (!meta_list.empty()) {
        const Error error = internal::make_kernel_key_string(meta_list, key, sizeof(key));
        if (error != Error::Ok) {
            return error;
        }
    }
    const Kernel* general = nullptr;
    for (const Kernel& kernel : registry().kernels) {
        if (std::strcmp(kernel.name_, name) != 0) {
            continue;
        }
        if (kernel.kernel_key_.is_fallback()) {
            general = &kernel;
        } else if (std::strcmp(kernel.kernel_key_.data(), key) == 0) {
            return kernel.op_;
        }
    }
    if (general == nullptr) {
        ET_LOG(Error, "no kernel %s", name);
        return Error::OperatorMissing;
    }
    return general->op_;
}

bool registry_has_op_function(const char* name, Span<const TensorMeta> meta_list) {
    return get_op_function_from_registry(name, meta_list).ok();
}

Error internal::make_kernel_key_string(Span<const TensorMeta> key, char* buffer, size_t size) {
    std::string text = key.empty() ? "" : "v1/";
    for (size_t i = 0; i < key.size(); ++i) {
        text += (i == 0 ? "" : "|") + std::to_string(static_cast<int>(key[i].dtype_)) + ";";
        for (size_t dim = 0; dim < key[i].dim_order_.size(); ++dim) {
            text += (dim == 0 ? "" : ",") + std::to_string(key[i].dim_order_[dim]);
        }
    }
    if (text.size() >= size) {
        return Error::InvalidArgument;
    }
    std::memcpy(buffer, text.c_str(), text.size() + 1);
    return Error::Ok;
}

BackendInterface::~BackendInterface() = default;

Error register_backend(const Backend& backend) {
    if (get_backend_class(backend.name) != nullptr) {
        registry().problem = std::string("it registers two backends ") + backend.name;
        return Error::InvalidArgument;
    }
    registry().backends.push_back(backend);
    return Error::Ok;
}

BackendInterface* get_backend_class(const char* name) {
    for (const Backend& each : registry().backends) {
        if (std::strcmp(each.name, name) == 0) {
            return each.backend;
        }
    }
    return nullptr;
}

size_t get_num_registered_backends() {
    return registry().backends.size();
}

Result<const char*> get_backend_name(size_t index) {
    if (index >= registry().backends.size()) {
        return Error::InvalidArgument;
    }
    return registry().backends[index].name;
}

Error set_option(const char* backend_name, const Span<BackendOption> options) {
    BackendInterface* const backend = get_backend_class(backend_name);
    BackendOptionContext context;
    return backend == nullptr ? Error::NotFound : backend->set_option(context, options);
}

Error get_option(const char* backend_name, Span<BackendOption> options) {
    BackendInterface* const backend = get_backend_class(backend_name);
    BackendOptionContext context;
    return backend == nullptr ? Error::NotFound : backend->get_option(context, options);
}

}  // namespace executorch::runtime
