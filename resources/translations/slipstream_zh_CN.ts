<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>Chart</name>
        <message>
            <source>step %1</source>
            <translation>第 %1 步</translation>
        </message>
        <message>
            <source>epoch %1</source>
            <translation>第 %1 轮</translation>
        </message>
        <message>
            <source>sample %1</source>
            <translation>第 %1 个样本</translation>
        </message>
        <message>
            <source>smoothed</source>
            <translation>平滑</translation>
        </message>
        <message>
            <source>last</source>
            <translation>最新</translation>
        </message>
        <message>
            <source>raw</source>
            <translation>原始</translation>
        </message>
        <message>
            <source>raw at %1</source>
            <translation>原始值（%1）</translation>
        </message>
    </context>
    <context>
        <name>DocumentFiles</name>
        <message>
            <source>Save %1</source>
            <translation>保存 %1</translation>
        </message>
        <message>
            <source>JSON files (*.json)</source>
            <translation>JSON 文件 (*.json)</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>保存</translation>
        </message>
    </context>
    <context>
        <name>QMessageBox</name>
        <message>
            <source>Unsaved changes</source>
            <translation>未保存的更改</translation>
        </message>
        <message>
            <source>Changes are not saved: %1</source>
            <translation>更改尚未保存：%1</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <source>Discard</source>
            <translation>放弃</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
    </context>
    <context>
        <name>RankTableFix</name>
        <message>
            <source>Remove comments and surplus commas</source>
            <translation>去掉注释和多余的逗号</translation>
        </message>
        <message>
            <source>Keep the last %1</source>
            <translation>保留最后一个 %1</translation>
        </message>
        <message>
            <source>Convert to version %1</source>
            <translation>转换为 %1 版</translation>
        </message>
        <message>
            <source>Remove %1</source>
            <translation>删除 %1</translation>
        </message>
        <message>
            <source>Write version %1</source>
            <translation>写入版本 %1</translation>
        </message>
        <message>
            <source>Mark as completed</source>
            <translation>标记为 completed</translation>
        </message>
        <message>
            <source>Set server_count to %1</source>
            <translation>将 server_count 设为 %1</translation>
        </message>
        <message>
            <source>Add %1</source>
            <translation>添加 %1</translation>
        </message>
        <message>
            <source>Add device %1</source>
            <translation>添加卡 %1</translation>
        </message>
        <message>
            <source>Renumber devices 0 to %1</source>
            <translation>将卡重新编号为 0 到 %1</translation>
        </message>
        <message>
            <source>Use %1</source>
            <translation>使用 %1</translation>
        </message>
        <message>
            <source>Use placeholder %1</source>
            <translation>使用占位 %1</translation>
        </message>
        <message>
            <source>Renumber ranks 0 to %1</source>
            <translation>将 rank 重新编号为 0 到 %1</translation>
        </message>
    </context>
    <context>
        <name>Ranks</name>
        <message>
            <source>Activations</source>
            <translation>激活</translation>
        </message>
        <message>
            <source>Weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <source>Gradients</source>
            <translation>梯度</translation>
        </message>
        <message>
            <source>Boost buffers</source>
            <translation>加速缓冲</translation>
        </message>
        <message>
            <source>Optimizer state</source>
            <translation>优化器状态</translation>
        </message>
        <message>
            <source>Gather buffers</source>
            <translation>聚合缓冲</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <translation>%1：%2</translation>
        </message>
        <message>
            <source>Memory by rank</source>
            <translation>各 rank 的内存</translation>
        </message>
        <message>
            <source>forecast beside the highest that was measured</source>
            <translation>预测值与测得的最高值</translation>
        </message>
        <message>
            <source>forecast</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>rank %1</source>
            <translation>rank %1</translation>
        </message>
        <message>
            <source>Compute</source>
            <translation>计算</translation>
        </message>
        <message>
            <source>Exposed communication</source>
            <translation>未掩盖的通信</translation>
        </message>
        <message>
            <source>Data wait</source>
            <translation>等待数据</translation>
        </message>
        <message>
            <source>Recording</source>
            <translation>记录</translation>
        </message>
        <message>
            <source>Other</source>
            <translation>其他</translation>
        </message>
        <message>
            <source>%1 ms</source>
            <translation>%1 ms</translation>
        </message>
        <message>
            <source>%1 %</source>
            <translation>%1 %</translation>
        </message>
        <message>
            <source>%1: %2 a step</source>
            <translation>%1：每步 %2</translation>
        </message>
        <message>
            <source>A click shows its log</source>
            <translation>点击查看其日志</translation>
        </message>
        <message>
            <source>computes longer</source>
            <translation>计算较慢</translation>
        </message>
        <message>
            <source>waits for data</source>
            <translation>等待数据</translation>
        </message>
        <message>
            <source>records longer</source>
            <translation>记录较慢</translation>
        </message>
        <message>
            <source>Step time by rank</source>
            <translation>各 rank 的步时</translation>
        </message>
        <message>
            <source>mean of steps %1 to %2</source>
            <translation>第 %1 到 %2 步的均值</translation>
        </message>
        <message>
            <source>Slowest rank</source>
            <translation>最慢的 rank</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <translation>%1，%2</translation>
        </message>
        <message>
            <source>Straggler index, max / median of work</source>
            <translation>掉队指数，工作时间最大值 / 中位数</translation>
        </message>
        <message>
            <source>Hidden communication</source>
            <translation>已掩盖的通信</translation>
        </message>
        <message>
            <source>not measured</source>
            <translation>未测量</translation>
        </message>
        <message>
            <source>Cost of recording</source>
            <translation>记录的开销</translation>
        </message>
    </context>
    <context>
        <name>RunState</name>
        <message>
            <source>Draft</source>
            <translation>草稿</translation>
        </message>
        <message>
            <source>Queued</source>
            <translation>排队</translation>
        </message>
        <message>
            <source>Starting</source>
            <translation>启动中</translation>
        </message>
        <message>
            <source>Running</source>
            <translation>运行中</translation>
        </message>
        <message>
            <source>Stopping</source>
            <translation>停止中</translation>
        </message>
        <message>
            <source>Done</source>
            <translation>完成</translation>
        </message>
        <message>
            <source>Failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>Stopped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>Lost</source>
            <translation>失联</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::Actions</name>
        <message>
            <source>New experiment</source>
            <translation>新建实验</translation>
        </message>
        <message>
            <source>Open experiment…</source>
            <translation>打开实验…</translation>
        </message>
        <message>
            <source>Open rank table…</source>
            <translation>打开组网信息文件…</translation>
        </message>
        <message>
            <source>Open store…</source>
            <translation>打开运行库…</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <source>Save as…</source>
            <translation>另存为…</translation>
        </message>
        <message>
            <source>Quit</source>
            <translation>退出</translation>
        </message>
        <message>
            <source>Launch</source>
            <translation>启动</translation>
        </message>
        <message>
            <source>Run the example</source>
            <translation>运行示例</translation>
        </message>
        <message>
            <source>Stop after this step</source>
            <translation>本步之后停止</translation>
        </message>
        <message>
            <source>Stop after the next checkpoint</source>
            <translation>下个检查点之后停止</translation>
        </message>
        <message>
            <source>Stop now</source>
            <translation>立即停止</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Compare</source>
            <translation>对比</translation>
        </message>
        <message>
            <source>Save report…</source>
            <translation>保存报告…</translation>
        </message>
        <message>
            <source>Filter runs</source>
            <translation>筛选运行</translation>
        </message>
        <message>
            <source>Type a command</source>
            <translation>输入命令</translation>
        </message>
        <message>
            <source>Next problem</source>
            <translation>下一个问题</translation>
        </message>
        <message>
            <source>Previous problem</source>
            <translation>上一个问题</translation>
        </message>
        <message>
            <source>Reset layout</source>
            <translation>重置布局</translation>
        </message>
        <message>
            <source>Theme of the system</source>
            <translation>跟随系统主题</translation>
        </message>
        <message>
            <source>Light theme</source>
            <translation>浅色主题</translation>
        </message>
        <message>
            <source>Dark theme</source>
            <translation>深色主题</translation>
        </message>
        <message>
            <source>Language of the system</source>
            <translation>跟随系统语言</translation>
        </message>
        <message>
            <source>About Slipstream</source>
            <translation>关于 Slipstream</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>Report</source>
            <translation>报告</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::BoostPage</name>
        <message>
            <source>No experiment is open</source>
            <translation>没有打开的实验</translation>
        </message>
        <message>
            <source>Open one, or begin with an example.</source>
            <translation>请打开一个实验，或从示例开始。</translation>
        </message>
        <message>
            <source>Boost</source>
            <translation>加速</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::BottomPanel</name>
        <message>
            <source>Problems</source>
            <translation>问题</translation>
        </message>
        <message>
            <source>Log</source>
            <translation>日志</translation>
        </message>
        <message>
            <source>Events</source>
            <translation>事件</translation>
        </message>
        <message>
            <source>Close the panel</source>
            <translation>收起面板</translation>
        </message>
        <message>
            <source>Open the panel</source>
            <translation>展开面板</translation>
        </message>
        <message numerus="yes">
            <source>%n error(s)</source>
            <translation>
                <numerusform>%n 个错误</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n warning(s)</source>
            <translation>
                <numerusform>%n 个警告</numerusform>
            </translation>
        </message>
        <message>
            <source>F8 goes to the next</source>
            <translation>F8 转到下一个</translation>
        </message>
        <message>
            <source>%1  %2</source>
            <translation>%1  %2</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::ChartsPage</name>
        <message>
            <source>No run is chosen</source>
            <translation>没有选择运行</translation>
        </message>
        <message>
            <source>Choose runs on the left: their curves are drawn here.</source>
            <translation>请在左侧选择运行，曲线将画在这里。</translation>
        </message>
        <message>
            <source>Charts</source>
            <translation>图表</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::CheckpointsPage</name>
        <message>
            <source>No run is chosen</source>
            <translation>没有选择运行</translation>
        </message>
        <message>
            <source>Choose a run on the left: its checkpoints are listed here.</source>
            <translation>请在左侧选择一次运行，其检查点将列在这里。</translation>
        </message>
        <message>
            <source>Checkpoints</source>
            <translation>检查点</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::CommandBox</name>
        <message>
            <source>Type a command, a run or a metric</source>
            <translation>输入命令、运行或指标</translation>
        </message>
        <message>
            <source>Command box</source>
            <translation>命令框</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::ComparePage</name>
        <message>
            <source>Nothing to compare</source>
            <translation>没有可对比的运行</translation>
        </message>
        <message>
            <source>Choose two runs or more on the left.</source>
            <translation>请在左侧选择两次或更多运行。</translation>
        </message>
        <message>
            <source>Compare</source>
            <translation>对比</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::Document</name>
        <message>
            <source>Untitled</source>
            <translation>未命名</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::DraftNotice</name>
        <message>
            <source>Discard</source>
            <translation>放弃</translation>
        </message>
        <message>
            <source>%1 was recovered from a draft and is not saved.</source>
            <translation>%1 由草稿恢复，尚未保存。</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::DryRunPanel</name>
        <message>
            <source>Rank</source>
            <translation>Rank</translation>
        </message>
        <message>
            <source>Host</source>
            <translation>主机</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>卡</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <source>Reported</source>
            <translation>回报</translation>
        </message>
        <message>
            <source>Where each rank would go</source>
            <translation>各 rank 的位置</translation>
        </message>
        <message>
            <source>Command that would start the ranks</source>
            <translation>启动各 rank 的命令</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <source>Close the dry run</source>
            <translation>关闭试运行</translation>
        </message>
        <message>
            <source>Dry run</source>
            <translation>试运行</translation>
        </message>
        <message>
            <source>The ranks are on other machines and are not asked. Nothing was started.</source>
            <translation>各 rank 位于其他机器，未予询问。没有启动任何进程。</translation>
        </message>
        <message numerus="yes">
            <source>Asking %n rank(s)…</source>
            <translation>
                <numerusform>正在询问 %n 个 rank…</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>process %1 on %2, %n thread(s)</source>
            <translation>
                <numerusform>%2 上的进程 %1，%n 个线程</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n rank(s) started, reported and ended. Nothing was trained.</source>
            <translation>
                <numerusform>%n 个 rank 已启动、回报并结束。没有进行训练。</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::EventsModel</name>
        <message>
            <source>information</source>
            <translation>信息</translation>
        </message>
        <message>
            <source>warning</source>
            <translation>警告</translation>
        </message>
        <message>
            <source>error</source>
            <translation>错误</translation>
        </message>
        <message>
            <source>launcher</source>
            <translation>启动器</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>Rank</source>
            <translation>Rank</translation>
        </message>
        <message>
            <source>Level</source>
            <translation>级别</translation>
        </message>
        <message>
            <source>Code</source>
            <translation>代码</translation>
        </message>
        <message>
            <source>What happened</source>
            <translation>发生了什么</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::EventsView</name>
        <message>
            <source>No run is chosen.</source>
            <translation>没有选择运行。</translation>
        </message>
        <message>
            <source>Events</source>
            <translation>事件</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>Nothing has happened in this run yet.</source>
            <translation>这次运行还没有任何事件。</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::GeneratePanel</name>
        <message>
            <source>Devices</source>
            <translation>卡</translation>
        </message>
        <message>
            <source>Server</source>
            <translation>服务器</translation>
        </message>
        <message>
            <source>Hosts</source>
            <translation>主机</translation>
        </message>
        <message>
            <source>Device addresses</source>
            <translation>卡地址</translation>
        </message>
        <message>
            <source>optional: one a device, in rank order</source>
            <translation>可选：每张卡一个，按 rank 顺序</translation>
        </message>
        <message>
            <source>Generate</source>
            <translation>生成</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>Generate from the devices of one server</source>
            <translation>按一台服务器的卡生成</translation>
        </message>
        <message>
            <source>Generate from a list of hosts</source>
            <translation>按主机列表生成</translation>
        </message>
        <message>
            <source>Generate from a Slurm allocation</source>
            <translation>按 Slurm 分配生成</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::LayersPage</name>
        <message>
            <source>No run is chosen</source>
            <translation>没有选择运行</translation>
        </message>
        <message>
            <source>Choose a run on the left: what the algorithms do to each layer is drawn here.</source>
            <translation>请在左侧选择一次运行，各算法对每一层的作用将画在这里。</translation>
        </message>
        <message>
            <source>Layers</source>
            <translation>各层</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::LogView</name>
        <message>
            <source>Log</source>
            <translation>日志</translation>
        </message>
        <message>
            <source>All ranks</source>
            <translation>全部 rank</translation>
        </message>
        <message>
            <source>Whose log</source>
            <translation>谁的日志</translation>
        </message>
        <message>
            <source>Find in the log</source>
            <translation>在日志中查找</translation>
        </message>
        <message>
            <source>Rank %1</source>
            <translation>Rank %1</translation>
        </message>
        <message>
            <source>rank %1</source>
            <translation>rank %1</translation>
        </message>
        <message>
            <source>%1: earlier lines are in %2</source>
            <translation>%1：更早的内容在 %2</translation>
        </message>
        <message>
            <source>This run has no logs: it has not started yet, or they were removed.</source>
            <translation>这次运行没有日志：尚未启动，或日志已被删除。</translation>
        </message>
        <message>
            <source>Nothing was printed so far. What happened is in Events.</source>
            <translation>到目前为止没有输出。发生的事情见“事件”。</translation>
        </message>
        <message>
            <source>"%1" is not in this log</source>
            <translation>日志中没有“%1”</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::MainWindow</name>
        <message>
            <source>Slipstream</source>
            <translation>Slipstream</translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>撤销</translation>
        </message>
        <message>
            <source>Redo</source>
            <translation>重做</translation>
        </message>
        <message>
            <source>Tools</source>
            <translation>工具</translation>
        </message>
        <message>
            <source>&amp;File</source>
            <translation>文件(&amp;F)</translation>
        </message>
        <message>
            <source>&amp;Edit</source>
            <translation>编辑(&amp;E)</translation>
        </message>
        <message>
            <source>&amp;View</source>
            <translation>视图(&amp;V)</translation>
        </message>
        <message>
            <source>&amp;Run</source>
            <translation>运行(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Help</source>
            <translation>帮助(&amp;H)</translation>
        </message>
        <message>
            <source>Pages</source>
            <translation>页面</translation>
        </message>
        <message>
            <source>About Slipstream</source>
            <translation>关于 Slipstream</translation>
        </message>
        <message>
            <source>Slipstream %1
Compare acceleration algorithms for distributed training.
GPL-3.0-or-later</source>
            <translation>Slipstream %1
对比分布式训练的加速算法。
GPL-3.0-or-later</translation>
        </message>
        <message>
            <source>No living run is chosen</source>
            <translation>没有选择进行中的运行</translation>
        </message>
        <message>
            <source>No experiment without mistakes is open</source>
            <translation>没有打开的无误实验</translation>
        </message>
        <message>
            <source>Open store</source>
            <translation>打开运行库</translation>
        </message>
        <message>
            <source>Open</source>
            <translation>打开</translation>
        </message>
        <message>
            <source>JSON files (*.json)</source>
            <translation>JSON 文件 (*.json)</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::PlacementView</name>
        <message>
            <source>Placement: ranks by server and device</source>
            <translation>位置：按服务器和卡排列的 rank</translation>
        </message>
        <message>
            <source>rank %1: device %2 of %3, address %4</source>
            <translation>rank %1：%3 的卡 %2，地址 %4</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::PlanPage</name>
        <message>
            <source>No experiment is open</source>
            <translation>没有打开的实验</translation>
        </message>
        <message>
            <source>Open one, or begin with an example.</source>
            <translation>请打开一个实验，或从示例开始。</translation>
        </message>
        <message>
            <source>Plan</source>
            <translation>计划</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::PreviewPanel</name>
        <message>
            <source>Export…</source>
            <translation>导出…</translation>
        </message>
        <message>
            <source>Type</source>
            <translation>类型</translation>
        </message>
        <message>
            <source>Rank table</source>
            <translation>组网信息</translation>
        </message>
        <message>
            <source>Hostfile</source>
            <translation>Hostfile</translation>
        </message>
        <message>
            <source>Rankfile</source>
            <translation>Rankfile</translation>
        </message>
        <message>
            <source>Preview</source>
            <translation>预览</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>Copy the preview</source>
            <translation>复制预览</translation>
        </message>
        <message>
            <source>Export is off until the errors are fixed.</source>
            <translation>错误修复之前不能导出。</translation>
        </message>
        <message>
            <source>Export</source>
            <translation>导出</translation>
        </message>
        <message>
            <source>Written to %1</source>
            <translation>已写入 %1</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::ProblemsModel</name>
        <message>
            <source>%1 (found %2)</source>
            <translation>%1（现为 %2）</translation>
        </message>
        <message>
            <source>%1 · %2</source>
            <translation>%1 · %2</translation>
        </message>
        <message>
            <source>Error: %1</source>
            <translation>错误：%1</translation>
        </message>
        <message>
            <source>Warning: %1</source>
            <translation>警告：%1</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::ProblemsView</name>
        <message>
            <source>Problems</source>
            <translation>问题</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>Nothing is wrong in the open documents.</source>
            <translation>打开的文档没有问题。</translation>
        </message>
        <message>
            <source>Every fix is one undo step. The command line says the same words: slipstream plan, slipstream rank-table check</source>
            <translation>每次修复是一个撤销步骤。命令行给出相同的文字：slipstream plan、slipstream rank-table check</translation>
        </message>
        <message>
            <source>Show</source>
            <translation>转到</translation>
        </message>
        <message>
            <source>Show the place of this problem</source>
            <translation>转到出问题的位置</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::RankTableListModel</name>
        <message>
            <source>Rank</source>
            <translation>Rank</translation>
        </message>
        <message>
            <source>Server</source>
            <translation>服务器</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>卡</translation>
        </message>
        <message>
            <source>Device address</source>
            <translation>卡地址</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::RankTableModel</name>
        <message numerus="yes">
            <source>%n device(s)</source>
            <translation>
                <numerusform>%n 张卡</numerusform>
            </translation>
        </message>
        <message>
            <source>device %1</source>
            <translation>卡 %1</translation>
        </message>
        <message>
            <source>Server and device</source>
            <translation>服务器和卡</translation>
        </message>
        <message>
            <source>Rank</source>
            <translation>Rank</translation>
        </message>
        <message>
            <source>Device address</source>
            <translation>卡地址</translation>
        </message>
        <message>
            <source>Write %1</source>
            <translation>写入 %1</translation>
        </message>
        <message>
            <source>Move devices</source>
            <translation>移动卡</translation>
        </message>
        <message>
            <source>Move servers</source>
            <translation>移动服务器</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::RankTablePage</name>
        <message>
            <source>Generate</source>
            <translation>生成</translation>
        </message>
        <message>
            <source>Everything is saved</source>
            <translation>没有未保存的更改</translation>
        </message>
        <message>
            <source>A dry run needs a table without errors</source>
            <translation>试运行需要没有错误的组网信息</translation>
        </message>
        <message>
            <source>Drag a row to reorder; ranks follow when you renumber.</source>
            <translation>拖动行可调整顺序；重新编号后 rank 随之变化。</translation>
        </message>
        <message>
            <source>The text is not JSON; these are the rows of the last one that was.</source>
            <translation>文本不是 JSON；这里显示最近一次有效的内容。</translation>
        </message>
        <message>
            <source>version 1.0</source>
            <translation>1.0 版</translation>
        </message>
        <message numerus="yes">
            <source>%n server(s)</source>
            <translation>
                <numerusform>%n 台服务器</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n device(s)</source>
            <translation>
                <numerusform>%n 张卡</numerusform>
            </translation>
        </message>
        <message>
            <source>edited just now, kept as draft</source>
            <translation>刚刚编辑，已存为草稿</translation>
        </message>
        <message numerus="yes">
            <source>edited %n minute(s) ago, kept as draft</source>
            <translation>
                <numerusform>%n 分钟前编辑，已存为草稿</numerusform>
            </translation>
        </message>
        <message>
            <source>Rank table</source>
            <translation>组网信息</translation>
        </message>
        <message>
            <source>Generate from local devices…</source>
            <translation>按本机的卡生成…</translation>
        </message>
        <message>
            <source>Generate from a host list…</source>
            <translation>按主机列表生成…</translation>
        </message>
        <message>
            <source>Generate from Slurm variables…</source>
            <translation>按 Slurm 变量生成…</translation>
        </message>
        <message>
            <source>Import…</source>
            <translation>导入…</translation>
        </message>
        <message>
            <source>Merge…</source>
            <translation>合并…</translation>
        </message>
        <message>
            <source>Add server</source>
            <translation>添加服务器</translation>
        </message>
        <message>
            <source>Server</source>
            <translation>服务器</translation>
        </message>
        <message>
            <source>Add device</source>
            <translation>添加卡</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>卡</translation>
        </message>
        <message>
            <source>Delete selected rows</source>
            <translation>删除所选行</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>删除</translation>
        </message>
        <message>
            <source>Renumber ranks</source>
            <translation>重新编号</translation>
        </message>
        <message>
            <source>Dry run</source>
            <translation>试运行</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <source>Generate from local devices</source>
            <translation>按本机的卡生成</translation>
        </message>
        <message>
            <source>No rank table is open</source>
            <translation>没有打开的组网信息文件</translation>
        </message>
        <message>
            <source>A rank table says which rank runs on which device of which server. Without one all ranks run on this machine.</source>
            <translation>组网信息文件说明哪个 rank 运行在哪台服务器的哪张卡上。没有它时，所有 rank 都在本机运行。</translation>
        </message>
        <message>
            <source>Tree</source>
            <translation>树</translation>
        </message>
        <message>
            <source>Table</source>
            <translation>表</translation>
        </message>
        <message>
            <source>Placement</source>
            <translation>位置</translation>
        </message>
        <message>
            <source>Servers and devices</source>
            <translation>服务器和卡</translation>
        </message>
        <message>
            <source>Devices by rank</source>
            <translation>按 rank 排列的卡</translation>
        </message>
        <message>
            <source>Import a rank table of any version</source>
            <translation>导入任意版本的组网信息文件</translation>
        </message>
        <message>
            <source>JSON files (*.json);;All files (*)</source>
            <translation>JSON 文件 (*.json);;所有文件 (*)</translation>
        </message>
        <message>
            <source>Import</source>
            <translation>导入</translation>
        </message>
        <message>
            <source>Merge rank tables</source>
            <translation>合并组网信息文件</translation>
        </message>
        <message>
            <source>Merge</source>
            <translation>合并</translation>
        </message>
        <message numerus="yes">
            <source>Delete %n row(s)</source>
            <translation>
                <numerusform>删除 %n 行</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::RanksPage</name>
        <message>
            <source>Whole run</source>
            <translation>整个运行</translation>
        </message>
        <message>
            <source>By rank</source>
            <translation>按 rank</translation>
        </message>
        <message>
            <source>By exposed communication</source>
            <translation>按未掩盖的通信</translation>
        </message>
        <message>
            <source>Order of the ranks</source>
            <translation>rank 的顺序</translation>
        </message>
        <message>
            <source>First step</source>
            <translation>第一步</translation>
        </message>
        <message>
            <source>Last step</source>
            <translation>最后一步</translation>
        </message>
        <message>
            <source>Steps</source>
            <translation>步数</translation>
        </message>
        <message>
            <source>to</source>
            <translation>至</translation>
        </message>
        <message>
            <source>No run is chosen</source>
            <translation>没有选择运行</translation>
        </message>
        <message>
            <source>Choose a run on the left: the time and the memory of its ranks are drawn here.</source>
            <translation>请在左侧选择一次运行，各 rank 的时间和内存将画在这里。</translation>
        </message>
        <message>
            <source>No step has been recorded</source>
            <translation>没有记录任何一步</translation>
        </message>
        <message>
            <source>The run has not done its first step, or it ended before. Its log and its events below say more.</source>
            <translation>运行还没有完成第一步，或在此之前已结束。下方的日志和事件说明原因。</translation>
        </message>
        <message numerus="yes">
            <source>%1 · %2 · %n rank(s)</source>
            <translation>
                <numerusform>%1 · %2 · %n 卡</numerusform>
            </translation>
        </message>
        <message>
            <source>All steps are shown</source>
            <translation>已显示全部步</translation>
        </message>
        <message>
            <source>Compute holds the optimizer's step. Checkpoints and evaluations stand between steps and are not counted. A click on a bar shows the log of its rank.</source>
            <translation>计算包含优化器。检查点和评估在步与步之间，不计入。点击条形可查看该 rank 的日志。</translation>
        </message>
        <message>
            <source>forecast</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>measured</source>
            <translation>测得</translation>
        </message>
        <message>
            <source>difference</source>
            <translation>差值</translation>
        </message>
        <message>
            <source>The ranks report what they used when the run ends; until then only the forecast is known.</source>
            <translation>各 rank 在运行结束时回报用量；在此之前只有预测值。</translation>
        </message>
        <message>
            <source>Measured: the rank that used most of each kind, at the highest.</source>
            <translation>测得：每一类中用量最大的 rank 的最高值。</translation>
        </message>
        <message>
            <source>Ranks</source>
            <translation>各卡</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::ReportPage</name>
        <message>
            <source>No run is chosen</source>
            <translation>没有选择运行</translation>
        </message>
        <message>
            <source>Choose runs on the left: their report is shown here.</source>
            <translation>请在左侧选择运行，报告将显示在这里。</translation>
        </message>
        <message>
            <source>Report</source>
            <translation>报告</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::RunTitle</name>
        <message>
            <source>%1 · seed %2</source>
            <translation>%1 · 种子 %2</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::RunsDock</name>
        <message>
            <source>Runs and experiments</source>
            <translation>运行与实验</translation>
        </message>
        <message>
            <source>Filter, e.g. algo:adasum</source>
            <translation>筛选，例如 algo:adasum</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::StatusLine</name>
        <message>
            <source>Idle</source>
            <translation>空闲</translation>
        </message>
        <message>
            <source>%1/ · %2</source>
            <translation>%1/ · %2</translation>
        </message>
        <message>
            <source>No store is open</source>
            <translation>没有打开的运行库</translation>
        </message>
    </context>
    <context>
        <name>slipstream::ui::WelcomePage</name>
        <message>
            <source>Welcome to Slipstream</source>
            <translation>欢迎使用 Slipstream</translation>
        </message>
        <message>
            <source>Train on many cards, and see what every acceleration gives and costs.</source>
            <translation>在多张卡上训练，看清每种加速的收益和代价。</translation>
        </message>
        <message>
            <source>Welcome</source>
            <translation>欢迎</translation>
        </message>
    </context>
</TS>
