#pragma once

#include "app/output/cells.h"
#include "inspector/delegates/delegates.h"

#include <string_view>

namespace et::output {

/// Level of detail and format of delegate information.
struct DelegateInfoOptions {
    bool nodes = false;           ///< include every node and value inside
    bool forPeople = false;       ///< round times and omit empty entries
    bool shortenLists = false;    ///< cut long lists of texts, with a note
    bool groupsEqual = false;     ///< delegates of a kind, and methods with equal contents, share an entry
    std::string_view timeUnit{};  ///< unit of the times; empty: no trace
    bool record = false;          ///< a record was given
};

/// The delegates of each method and the placement of its operators, as values that print as text and as JSON.
[[nodiscard]] List delegateInfo(const inspector::DelegationReport& report, const etrecord::Record* record,
                                const DelegateInfoOptions& options);

}  // namespace et::output
