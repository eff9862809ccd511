#pragma once

#include "inspector/delegates/handle_map.h"
#include "visualizers/delegates/delegate_tables.h"
#include "visualizers/delegates/delegation.h"

#include <QWidget>

#include <array>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPlainTextEdit;
class QTabWidget;

namespace et::visualizers {

class ReportTable;
class Selection;

/// The delegates of a program and details of the current one. Follows and sets the shared selection.
class DelegatesView : public QWidget {
    Q_OBJECT

  public:
    enum Tab : int { Map, Facts, Inside, Bytes, Operators };

    /// `selection` must outlive the view.
    explicit DelegatesView(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setDelegation(std::shared_ptr<const Delegation> shown);

    [[nodiscard]] ReportTable& delegates() { return *list; }
    [[nodiscard]] ReportTable& map() { return *mapRows; }
    [[nodiscard]] ReportTable& info() { return *detailRows; }
    [[nodiscard]] ReportTable& inside() { return *nodeRows; }
    [[nodiscard]] ReportTable& operators() { return *operatorRows; }
    /// The current delegate; null: none.
    [[nodiscard]] const DelegateRef* chosenDelegate() const { return current().ref; }
    /// Adds a button behind the filter.
    void addTool(QWidget* button);
    void showTab(Tab tab);
    void setDirection(MapDirection direction);

  signals:
    void delegateChosen();

  private:
    /// The current row of the list; null where it has no such part.
    struct Shown {
        const inspector::MethodDelegates* method = nullptr;  ///< without a row, the first method
        const DelegateRef* ref = nullptr;
        const inspector::DelegateReport* report = nullptr;
        const inspector::DelegateCallSite* call = nullptr;
    };

    QWidget* createList();
    QWidget* createTabs();
    QWidget* createMapPage();
    void createActions();
    void connectViews();
    void showDelegate();
    void showMap();
    void showSelection();
    void showSelectedHandles();
    void chooseDelegate(std::size_t row);
    void chooseHandles(const std::vector<core::DebugHandle>& handles);
    [[nodiscard]] std::optional<std::size_t> rowOfSelection() const;
    [[nodiscard]] std::optional<std::size_t> mapRowOfSelection() const;
    [[nodiscard]] Shown current() const;

    Selection& chosen;
    std::shared_ptr<const Delegation> delegation;
    std::vector<DelegateRef> refs;  ///< by row of the list
    std::optional<std::size_t> row;
    inspector::HandleMap handleMap;
    std::vector<std::vector<core::DebugHandle>> mapHandles;   ///< by row of the map
    std::vector<std::vector<core::DebugHandle>> nodeHandles;  ///< by row of the nodes inside
    QLayout* tools = nullptr;
    QLineEdit* filter;
    QLabel* head;
    ReportTable* list;
    QTabWidget* tabs;
    QComboBox* directions;
    QLabel* mapSource;
    ReportTable* mapRows;
    ReportTable* detailRows;
    ReportTable* nodeRows;
    QPlainTextEdit* bytes;
    ReportTable* operatorRows;
    bool choosing = false;  ///< guards against the echo of this view's own change to the selection
};

}  // namespace et::visualizers
