#pragma once

#include "visualizers/results.h"
#include "visualizers/selection.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>

#include <cstddef>
#include <optional>
#include <vector>

class QAction;
class QMenu;

namespace et::studio {

class Panel;
class PanelArea;
struct Perspective;

/// Back and forward navigation: perspective, panel, selection and visible part. Rapid changes (a drag, a held
/// key) are one step.
class History : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t maxEntries = 200;

    /// All must outlive this object.
    History(const visualizers::OpenSession& session, visualizers::Selection& selection,
            visualizers::Results& computed, PanelArea& panels, QObject* parent);

    /// Adds back and forward, and their aliases undo and redo.
    void addTo(QMenu& menu);
    void back() { go(-1); }
    void forward() { go(1); }
    /// Records the current state; otherwise recorded when nothing has changed for a moment.
    void note();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Entry {
        const Perspective* perspective = nullptr;
        Panel* panel = nullptr;
        visualizers::Choice choice{};
        std::optional<std::size_t> gapSet{0};  ///< Results::gapSet()
        QByteArray view{};
        bool operator==(const Entry&) const = default;
    };
    void addUndo();
    void noteLater() { rest.start(); }
    void forgetOthers();
    void go(int by);
    [[nodiscard]] Entry here() const;
    void updateActions();

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    visualizers::Results& results;
    PanelArea& area;
    QAction* backAction;
    QAction* forwardAction;
    QAction* undoAction;  ///< the same actions with the undo and redo shortcuts
    QAction* redoAction;
    QTimer rest;
    const etdump::Trace* trace = nullptr;  ///< source of the entries; compared by address only
    std::vector<Entry> places;
    std::size_t at = 0;     ///< index of the current entry
    bool arriving = false;  ///< current changes are caused by navigating to an entry
};

}  // namespace et::studio
