#pragma once

#include "inspector/delegates/delegates.h"
#include "inspector/format/table.h"

#include <string_view>

namespace et::app {

/// How much is said of delegates, and for whom.
struct DelegateInfoOptions {
    bool nodes = false;           ///< every node and value inside
    bool forPeople = false;       ///< times are rounded, what says nothing is left out
    bool shortenLists = false;    ///< long lists of texts are cut, saying so
    std::string_view timeUnit{};  ///< of the times; empty: no trace
    bool record = false;          ///< a record was given
};

/// The delegates of each method and where its operators run, as values that print as text and as JSON.
[[nodiscard]] inspector::report::List delegateInfo(const inspector::DelegationReport& report,
                                                   const etrecord::Record* record,
                                                   const DelegateInfoOptions& options);

}  // namespace et::app
