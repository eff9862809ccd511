#pragma once

#include "inspector/session/session.h"

#include <QMenu>

#include <cstddef>

namespace et::studio {

/// The open traces: which of them the rooms show as their own, and which stand beside it.
class TraceMenu : public QMenu {
    Q_OBJECT

  public:
    explicit TraceMenu(QWidget* parent = nullptr);

    /// Empty without a trace.
    void setFiles(const inspector::SessionFiles& files);

  signals:
    /// By its place among SessionFiles::others.
    void mainChosen(std::size_t other);
    void closeOthers();
};

}  // namespace et::studio
