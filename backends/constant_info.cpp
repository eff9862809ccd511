#include "backends/constant_info.h"

#include <string>

namespace et::backends {

void describeNamedConstant(std::string_view name, const executor::NamedDataSource& namedData,
                           core::GraphValue& value) {
    value.attributes.push_back({std::string(dataNameAttribute), std::string(name)});
    if (const auto found = namedData.find(name)) {
        value.bytes = found->size();
        value.data = *found;
    } else {
        value.attributes.push_back({"data", "missing: neither the program nor a tensor data file has it"});
    }
}

}  // namespace et::backends
